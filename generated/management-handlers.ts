// Written by npm run generate: every operation of management.yaml, and its handler in handlers/management/.
import { listAccounts, listAccountsNearEmpty, topUp, correctBalance, listLedgerEntries } from '../handlers/management/accounts.ts';
import { listAuditEntries } from '../handlers/management/audit.ts';
import { listCampaigns, createCampaign, getCampaign, updateCampaign } from '../handlers/management/campaigns.ts';
import { listChannels, createChannel, getChannel, updateChannel } from '../handlers/management/channels.ts';
import { listChatAppServices, createChatAppService, getChatAppService, updateChatAppService } from '../handlers/management/chatapp-services.ts';
import { listChatAppTemplates, createChatAppTemplate, getChatAppTemplate, updateChatAppTemplate, reviewChatAppTemplate, setChatAppTemplateStatus, previewChatAppTemplate, importChatAppTemplates } from '../handlers/management/chatapp-templates.ts';
import { listClients, createClient, getClient, updateClient, rotateClientSecret, revokeFormerClientSecrets, revokeClient, restoreClient } from '../handlers/management/clients.ts';
import { listConnectors, createConnector, getConnector, updateConnector, removeConnector, pauseConnector, resumeConnector, testConnector } from '../handlers/management/connectors.ts';
import { listEndpoints, getEndpoint, releaseEndpoint } from '../handlers/management/endpoints.ts';
import { listInboundMessages, listUnreadableInbound } from '../handlers/management/inbound.ts';
import { listManagedSenders, createManagedSender, getManagedSender, updateManagedSender } from '../handlers/management/managed-senders.ts';
import { listRequests, getRequest, cancelRequest, listRequestMessages, getMessage, listMessages } from '../handlers/management/messages.ts';
import { listOptOuts, addOptOuts, removeOptOuts, importOptOuts, listOptOutImports, getOptOutImport } from '../handlers/management/opt-outs.ts';
import { listQuarantinedItems, retryQuarantinedItem } from '../handlers/management/quarantine.ts';
import { listQuietHours, createQuietHours, getQuietHours, updateQuietHours } from '../handlers/management/quiet-hours.ts';
import { listReceipts, getReceipt, resendReceipt, replayReceipts } from '../handlers/management/receipts.ts';
import { listSenders, createSender, getSender, updateSender } from '../handlers/management/senders.ts';
import { listSmsServices, createSmsService, getSmsService, updateSmsService } from '../handlers/management/sms-services.ts';
import { listSmsTemplates, createSmsTemplate, getSmsTemplate, updateSmsTemplate, reviewSmsTemplate, previewSmsTemplate } from '../handlers/management/sms-templates.ts';
import { getStatement, exportStatement } from '../handlers/management/statements.ts';
import { getStatistics, getMinuteStatistics, getReceiptStatistics, getInboundStatistics } from '../handlers/management/statistics.ts';
import { eraseSubject } from '../handlers/management/subjects.ts';
import { listTeams, createTeam, getTeam, updateTeam } from '../handlers/management/teams.ts';
import { listUsers, createUser, getUser, updateUser, rotateUserKey, revokeFormerUserKey } from '../handlers/management/users.ts';

import type { ManagementHandlers } from '../handlers/management/operation.ts';

export const handlers: ManagementHandlers = {
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
  listQuietHours,
  createQuietHours,
  getQuietHours,
  updateQuietHours,
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
  importChatAppTemplates,
  testConnector,
  listAccountsNearEmpty,
  listAccounts,
  topUp,
  correctBalance,
  listLedgerEntries,
  getStatement,
  exportStatement,
  listRequests,
  getRequest,
  listRequestMessages,
  cancelRequest,
  getMessage,
  listMessages,
  listInboundMessages,
  listUnreadableInbound,
  listReceipts,
  getReceipt,
  resendReceipt,
  replayReceipts,
  listEndpoints,
  getEndpoint,
  releaseEndpoint,
  listOptOuts,
  addOptOuts,
  removeOptOuts,
  listOptOutImports,
  importOptOuts,
  getOptOutImport,
  getStatistics,
  getInboundStatistics,
  getReceiptStatistics,
  getMinuteStatistics,
  listQuarantinedItems,
  retryQuarantinedItem,
  eraseSubject,
  listAuditEntries,
};
