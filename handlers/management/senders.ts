/** Senders of SMS. */
import { reviewSender as review, senders } from '../../src/manage/messaging/senders.ts';
import { etagOf, type ManagementHandler, wire } from './operation.ts';
import { changes, creates, gets, lists } from './resource.ts';

export const listSenders = lists('listSenders', senders);
export const createSender = creates('createSender', senders, '/senders/');
export const getSender = gets('getSender', senders, 'senderId');
export const updateSender = changes('updateSender', senders, 'senderId');

/** Approves or rejects the uses of a sender that wait for a review. */
export const reviewSender: ManagementHandler<'reviewSender'> = async (
  { path, body, version, reply },
  management,
) => {
  const changed = await review(management, path.senderId, body, version);
  return reply(200, wire(changed), etagOf(changed));
};
