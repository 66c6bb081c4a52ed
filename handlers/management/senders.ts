/** Chat-app senders. */
import { senders } from '../../src/manage/messaging/senders.ts';
import { changes, creates, gets, lists } from './resource.ts';

export const listSenders = lists('listSenders', senders);
export const createSender = creates('createSender', senders, '/senders/');
export const getSender = gets('getSender', senders, 'senderId');
export const updateSender = changes('updateSender', senders, 'senderId');
