/** Every operation of the management contract and its handler; the compiler demands that none is missing. */

import type { Handlers } from '../../src/http/contract/operation.ts';
import { maskedBody, seesNumbers } from '../../src/manage/access/masking.ts';
import type { ServedManagement } from '../../src/manage/management.ts';
import { ManagementError, textOf } from '../../src/platform/errors/management.ts';
import { errors } from '../../src/platform/errors.ts';
import * as accounts from './accounts.ts';
import * as audit from './audit.ts';
import * as campaigns from './campaigns.ts';
import * as channels from './channels.ts';
import * as chatappServices from './chatapp-services.ts';
import * as chatappTemplates from './chatapp-templates.ts';
import * as clients from './clients.ts';
import * as connectors from './connectors.ts';
import * as endpoints from './endpoints.ts';
import * as inbound from './inbound.ts';
import * as managedSenders from './managed-senders.ts';
import * as messages from './messages.ts';
import {
  type ContractHandler,
  type ManagementDocument,
  type ManagementHandler,
  type ManagementHandlers,
  type ManagementOperationId,
  versionIn,
} from './operation.ts';
import * as optOuts from './opt-outs.ts';
import * as quarantine from './quarantine.ts';
import * as quietHours from './quiet-hours.ts';
import * as receipts from './receipts.ts';
import * as senders from './senders.ts';
import * as smsServices from './sms-services.ts';
import * as smsTemplates from './sms-templates.ts';
import * as statements from './statements.ts';
import * as statistics from './statistics.ts';
import * as subjects from './subjects.ts';
import * as teams from './teams.ts';
import * as users from './users.ts';

const handlers: ManagementHandlers = {
  ...accounts,
  ...audit,
  ...campaigns,
  ...channels,
  ...chatappServices,
  ...chatappTemplates,
  ...clients,
  ...connectors,
  ...endpoints,
  ...managedSenders,
  ...inbound,
  ...messages,
  ...optOuts,
  ...quarantine,
  ...quietHours,
  ...receipts,
  ...senders,
  ...smsServices,
  ...smsTemplates,
  ...statements,
  ...statistics,
  ...subjects,
  ...teams,
  ...users,
};

/** Their numbers are the team's own, or came with the call. */
const withoutPhones: readonly string[] = [
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
