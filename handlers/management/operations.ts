/** Every operation of the management contract and its handler; the compiler demands that none is missing. */
import { ManagementError, textOf } from '../../src/errors/management.ts';
import { errors } from '../../src/errors.ts';
import type { Handlers } from '../../src/http/contract/operation.ts';
import type { Management } from '../../src/manage/management.ts';
import { createChatAppService } from './chatapp/createChatAppService.ts';
import { createSender } from './chatapp/createSender.ts';
import { getChatAppService } from './chatapp/getChatAppService.ts';
import { getSender } from './chatapp/getSender.ts';
import { listChatAppServices } from './chatapp/listChatAppServices.ts';
import { listSenders } from './chatapp/listSenders.ts';
import { createChatAppTemplate } from './chatapp/templates/createChatAppTemplate.ts';
import { getChatAppTemplate } from './chatapp/templates/getChatAppTemplate.ts';
import { importChatAppTemplates } from './chatapp/templates/importChatAppTemplates.ts';
import { listChatAppTemplates } from './chatapp/templates/listChatAppTemplates.ts';
import { previewChatAppTemplate } from './chatapp/templates/previewChatAppTemplate.ts';
import { reviewChatAppTemplate } from './chatapp/templates/reviewChatAppTemplate.ts';
import { setChatAppTemplateStatus } from './chatapp/templates/setChatAppTemplateStatus.ts';
import { updateChatAppTemplate } from './chatapp/templates/updateChatAppTemplate.ts';
import { updateChatAppService } from './chatapp/updateChatAppService.ts';
import { updateSender } from './chatapp/updateSender.ts';
import { createClient } from './clients/createClient.ts';
import { getClient } from './clients/getClient.ts';
import { listClients } from './clients/listClients.ts';
import { restoreClient } from './clients/restoreClient.ts';
import { revokeClient } from './clients/revokeClient.ts';
import { revokeFormerClientSecrets } from './clients/revokeFormerClientSecrets.ts';
import { rotateClientSecret } from './clients/rotateClientSecret.ts';
import { updateClient } from './clients/updateClient.ts';
import { createCampaign } from './data/createCampaign.ts';
import { getCampaign } from './data/getCampaign.ts';
import { listCampaigns } from './data/listCampaigns.ts';
import { updateCampaign } from './data/updateCampaign.ts';
import { getRequest } from './messages/getRequest.ts';
import { getStatistics } from './messages/getStatistics.ts';
import { listEndpoints } from './messages/listEndpoints.ts';
import { listMessages } from './messages/listMessages.ts';
import { listReceipts } from './messages/listReceipts.ts';
import { listRequestMessages } from './messages/listRequestMessages.ts';
import { listRequests } from './messages/listRequests.ts';
import { releaseEndpoint } from './messages/releaseEndpoint.ts';
import { replayReceipts } from './messages/replayReceipts.ts';
import { resendReceipt } from './messages/resendReceipt.ts';
import { createChannel } from './networks/createChannel.ts';
import { createConnector } from './networks/createConnector.ts';
import { getChannel } from './networks/getChannel.ts';
import { getConnector } from './networks/getConnector.ts';
import { listChannels } from './networks/listChannels.ts';
import { listConnectors } from './networks/listConnectors.ts';
import { pauseConnector } from './networks/pauseConnector.ts';
import { removeConnector } from './networks/removeConnector.ts';
import { resumeConnector } from './networks/resumeConnector.ts';
import { testConnector } from './networks/testConnector.ts';
import { updateChannel } from './networks/updateChannel.ts';
import { updateConnector } from './networks/updateConnector.ts';
import { eraseSubject } from './operation/eraseSubject.ts';
import { listAuditEntries } from './operation/listAuditEntries.ts';
import { listQuarantinedItems } from './operation/listQuarantinedItems.ts';
import { retryQuarantinedItem } from './operation/retryQuarantinedItem.ts';
import {
  type ContractHandler,
  type ManagementDocument,
  type ManagementHandler,
  type ManagementHandlers,
  type ManagementOperationId,
  versionIn,
} from './operation.ts';
import { createManagedSender } from './sms/createManagedSender.ts';
import { createSmsService } from './sms/createSmsService.ts';
import { createSmsTemplate } from './sms/createSmsTemplate.ts';
import { getManagedSender } from './sms/getManagedSender.ts';
import { getSmsService } from './sms/getSmsService.ts';
import { getSmsTemplate } from './sms/getSmsTemplate.ts';
import { listManagedSenders } from './sms/listManagedSenders.ts';
import { listSmsServices } from './sms/listSmsServices.ts';
import { listSmsTemplates } from './sms/listSmsTemplates.ts';
import { previewSmsTemplate } from './sms/previewSmsTemplate.ts';
import { reviewSmsTemplate } from './sms/reviewSmsTemplate.ts';
import { updateManagedSender } from './sms/updateManagedSender.ts';
import { updateSmsService } from './sms/updateSmsService.ts';
import { updateSmsTemplate } from './sms/updateSmsTemplate.ts';
import { createTeam } from './teams/createTeam.ts';
import { getTeam } from './teams/getTeam.ts';
import { listTeams } from './teams/listTeams.ts';
import { updateTeam } from './teams/updateTeam.ts';
import { correctBalance } from './units/correctBalance.ts';
import { exportStatement } from './units/exportStatement.ts';
import { getStatement } from './units/getStatement.ts';
import { listAccounts } from './units/listAccounts.ts';
import { listLedgerEntries } from './units/listLedgerEntries.ts';
import { topUp } from './units/topUp.ts';
import { createUser } from './users/createUser.ts';
import { getUser } from './users/getUser.ts';
import { listUsers } from './users/listUsers.ts';
import { revokeFormerUserKey } from './users/revokeFormerUserKey.ts';
import { rotateUserKey } from './users/rotateUserKey.ts';
import { updateUser } from './users/updateUser.ts';

const handlers: ManagementHandlers = {
  listUsers,
  createUser,
  getUser,
  updateUser,
  rotateUserKey,
  revokeFormerUserKey,
  listTeams,
  createTeam,
  getTeam,
  updateTeam,
  listClients,
  createClient,
  getClient,
  updateClient,
  rotateClientSecret,
  revokeFormerClientSecrets,
  revokeClient,
  restoreClient,
  listSmsServices,
  createSmsService,
  getSmsService,
  updateSmsService,
  listChatAppServices,
  createChatAppService,
  getChatAppService,
  updateChatAppService,
  listSenders,
  createSender,
  getSender,
  updateSender,
  listManagedSenders,
  createManagedSender,
  getManagedSender,
  updateManagedSender,
  listSmsTemplates,
  createSmsTemplate,
  getSmsTemplate,
  updateSmsTemplate,
  reviewSmsTemplate,
  previewSmsTemplate,
  listChatAppTemplates,
  createChatAppTemplate,
  getChatAppTemplate,
  updateChatAppTemplate,
  reviewChatAppTemplate,
  setChatAppTemplateStatus,
  previewChatAppTemplate,
  importChatAppTemplates,
  listCampaigns,
  createCampaign,
  getCampaign,
  updateCampaign,
  listChannels,
  createChannel,
  getChannel,
  updateChannel,
  listConnectors,
  createConnector,
  getConnector,
  updateConnector,
  removeConnector,
  pauseConnector,
  resumeConnector,
  testConnector,
  listAccounts,
  topUp,
  correctBalance,
  listLedgerEntries,
  getStatement,
  exportStatement,
  listRequests,
  getRequest,
  listRequestMessages,
  listMessages,
  listReceipts,
  resendReceipt,
  replayReceipts,
  listEndpoints,
  releaseEndpoint,
  getStatistics,
  listQuarantinedItems,
  retryQuarantinedItem,
  eraseSubject,
  listAuditEntries,
};

export interface ManagementDependencies extends Omit<Management, 'actor' | 'team'> {
  /** The scopes that clients of the public API may have. */
  scopes: readonly string[];
}

export function createManagementHandlers({
  scopes,
  ...foundation
}: ManagementDependencies): Handlers<ManagementDocument> {
  const bound = <O extends ManagementOperationId>(handler: ManagementHandler<O>): ContractHandler<O> => {
    return async (call) => {
      const { userId, teamId } = call.caller;
      const management = { ...foundation, actor: { kind: 'user', name: userId }, team: teamId } as const;
      return handler({ ...call, version: versionIn(call.ifMatch), scopes }, management).catch(
        rejectAsPublished,
      );
    };
  };
  const entries = Object.entries(handlers).map(([id, handler]) => [id, bound(handler as never)]);
  return Object.fromEntries(entries);
}

/** The faults of a change in the form of the contract. What does not exist comes before what is wrong with it. */
function rejectAsPublished(error: unknown): never {
  if (!(error instanceof ManagementError)) throw error;
  const kinds = error.faults.map(({ kind }) => kind);
  const sentences = error.faults.map(textOf).join('\n');
  if (kinds.includes('stale')) throw errors.resourceChanged();
  if (kinds.includes('not-found')) throw errors.managementNotFound(sentences);
  if (kinds.includes('invalid')) throw errors.managementFaults(sentences);
  throw errors.managementConflict(sentences);
}
