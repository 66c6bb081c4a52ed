/** Requests and their messages. */
import { conversationAround } from '../../src/manage/operation/conversation.ts';
import * as messages from '../../src/manage/operation/messages.ts';
import { instantOf, type ManagementHandler, pageOfSlices } from './operation.ts';

/** Lists requests, newest first. */
export const listRequests: ManagementHandler<'listRequests'> = async ({ query, reply }, management) => {
  const { teamId: team, clientId: client, serviceId: resource, correlator, idStart } = query;
  const period = { from: instantOf(query.from), to: instantOf(query.to) };
  const filter = { team, client, resource, correlator, idStart, scheduled: query.scheduled, ...period };
  const page = await pageOfSlices('listRequests', query, management, (part) =>
    messages.listRequests(management, filter, part),
  );
  return reply(200, page);
};

/** Shows a request and the states of its messages. */
export const getRequest: ManagementHandler<'getRequest'> = async ({ path, reply }, management) =>
  reply(200, await messages.showRequest(management, path.requestId));

/** Cancels what is not submitted yet of a request. */
export const cancelRequest: ManagementHandler<'cancelRequest'> = async ({ path, reply }, management) =>
  reply(200, await messages.cancelRequest(management, path.requestId));

/** Lists the messages of a request, in its order. */
export const listRequestMessages: ManagementHandler<'listRequestMessages'> = async (
  { path: { requestId }, query, reply },
  management,
) => {
  const page = await pageOfSlices('listRequestMessages', { ...query, requestId }, management, (part) =>
    messages.listRequestMessages(management, requestId, part),
  );
  return reply(200, page);
};

/** Shows a message and its timeline. */
export const getMessage: ManagementHandler<'getMessage'> = async ({ path, reply }, management) =>
  reply(200, await messages.showMessage(management, path.requestId, path.messageId));

/** Shows what was sent and received around a message. */
export const getConversation: ManagementHandler<'getConversation'> = async ({ path, reply }, management) =>
  reply(200, { items: await conversationAround(management, path.requestId, path.messageId) });

/** Searches messages, newest first. */
export const listMessages: ManagementHandler<'listMessages'> = async ({ query, reply }, management) => {
  const { teamId: team, clientId: client, serviceId: resource, phone, correlator, state, channel } = query;
  const { phoneEnd, idStart } = query;
  const period = { from: instantOf(query.from), to: instantOf(query.to) };
  const filter = { team, client, resource, phone, phoneEnd, idStart, correlator, state, channel, ...period };
  const page = await pageOfSlices('listMessages', query, management, (part) =>
    messages.listMessages(management, filter, part),
  );
  return reply(200, page);
};
