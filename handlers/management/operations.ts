/** The handlers of the management contract with what each call works with: who calls, what may be seen, how faults are said. */

import { handlers } from '../../generated/management-handlers.ts';
import type { Handlers } from '../../src/http/contract/operation.ts';
import { maskedBody, seesNumbers } from '../../src/manage/access/masking.ts';
import type { ServedManagement } from '../../src/manage/management.ts';
import { ManagementError, textOf } from '../../src/platform/errors/management.ts';
import { errors } from '../../src/platform/errors.ts';
import {
  type ContractHandler,
  type ManagementDocument,
  type ManagementHandler,
  type ManagementOperationId,
  versionIn,
} from './operation.ts';

/** Their numbers are the team's own, or came with the call. */
const withoutPhones: readonly string[] = [
  'listChatAppSenders',
  'getChatAppSender',
  'listSenders',
  'getSender',
  'previewSmsTemplate',
  'previewChatAppTemplate',
] satisfies ManagementOperationId[];

export interface ManagementDependencies extends Omit<ServedManagement, 'actor' | 'team'> {
  /** Throws 429 for a user who sees numbers masked and searches by number too often. */
  admitBlindSearch: (userId: string) => void;
}

export function createManagementHandlers({
  admitBlindSearch,
  ...foundation
}: ManagementDependencies): Handlers<ManagementDocument> {
  const bound = <O extends ManagementOperationId>(
    id: string,
    handler: ManagementHandler<O>,
  ): ContractHandler<O> => {
    return async (call) => {
      const { kind, userId, teamId } = call.caller;
      // Digit by digit, the end of a number would be found in a few searches.
      if ('phoneEnd' in call.query && !seesNumbers(call.caller)) throw errors.missingRole('admin');
      if ('phone' in call.query && !seesNumbers(call.caller)) admitBlindSearch(userId);
      const management = { ...foundation, actor: { kind, name: userId }, team: teamId };
      const reply = await handler({ ...call, version: versionIn(call.ifMatch) }, management).catch(
        rejectAsPublished,
      );
      return withoutPhones.includes(id) ? reply : { ...reply, body: maskedBody(call.caller, reply.body) };
    };
  };
  const entries = Object.entries(handlers).map(([id, handler]) => [id, bound(id, handler as never)]);
  return Object.fromEntries(entries);
}

/** The faults of a change in the form of the contract. What does not exist comes before what is wrong with it. */
function rejectAsPublished(error: unknown): never {
  if (!(error instanceof ManagementError)) throw error;
  const kinds = error.faults.map(({ kind }) => kind);
  const sentences = error.faults.map(textOf).join('\n');
  if (kinds.includes('stale')) throw errors.resourceChanged();
  if (kinds.includes('not-found')) throw errors.managementNotFound(sentences);
  if (kinds.includes('archived')) throw errors.managementArchived(sentences);
  if (kinds.includes('invalid')) throw errors.managementFaults(sentences);
  throw errors.managementConflict(sentences);
}
