/** Shows a request and the states of its messages. */
import { showRequest } from '../../../src/manage/operation/messages.ts';
import type { ManagementHandler } from '../operation.ts';

export const getRequest: ManagementHandler<'getRequest'> = async ({ path, reply }, management) =>
  reply(200, await showRequest(management, path.requestId));
