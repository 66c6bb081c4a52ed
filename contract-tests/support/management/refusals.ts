/** Calls of management operations that break a rule, do not fit what is stored, or name what does not exist. */
import type { ManagementOperationId } from '../../../handlers/management/operation.ts';
import { bodies } from './bodies.ts';
import type { Named } from './named.ts';

/** A body, and other ids for the path. */
export interface RefusedCall {
  body?: object | undefined;
  path?: Partial<Named>;
}
type Refusals = { readonly [O in ManagementOperationId]?: (named: Named) => RefusedCall };

const lines = 'two\nlines';
const twice = [{ connector: 'sms' }, { connector: 'sms' }];
const withBody = (body: object) => (): RefusedCall => ({ body });
const own =
  (operation: ManagementOperationId, change: object = {}) =>
  (named: Named): RefusedCall => ({ body: { ...bodies[operation]?.(named), ...change } });
const nowhere = { teamId: 'nowhere' };

/** 400: the schema allows it, the rules of the resource do not. */
export const againstRules: Refusals = {
  createUser: own('createUser', { name: lines }),
  updateUser: withBody({ name: lines }),
  createTeam: own('createTeam', { name: lines }),
  updateTeam: withBody({ name: lines }),
  createClient: own('createClient', { name: lines }),
  updateClient: withBody({ allowedAddresses: ['nowhere'] }),
  createSmsService: own('createSmsService', { sender: '!' }),
  updateSmsService: withBody({ sender: '!' }),
  createChatAppService: own('createChatAppService', { name: lines }),
  updateChatAppService: withBody({ name: lines }),
  createSender: own('createSender', { sender: '!' }),
  updateSender: withBody({ sender: '!' }),
  createQuietHours: own('createQuietHours', { saturday: '13:00-09:00' }),
  updateQuietHours: withBody({ saturday: '13:00-09:00' }),
  createSenderRules: own('createSenderRules', { minLength: 11, maxLength: 3 }),
  updateSenderRules: withBody({ minLength: 11, maxLength: 3 }),
  createSmsTemplate: own('createSmsTemplate', { content: 'no code' }),
  updateSmsTemplate: withBody({ content: 'no code' }),
  previewSmsTemplate: withBody({ params: [] }),
  createChatAppTemplate: own('createChatAppTemplate', { components: { body: { text: '{{' }, buttons: [] } }),
  updateChatAppTemplate: withBody({ components: { body: { text: '{{' }, buttons: [] } }),
  previewChatAppTemplate: withBody({ params: [] }),
  createCampaign: own('createCampaign', { name: lines }),
  updateCampaign: withBody({ name: lines }),
  createRoute: own('createRoute', { via: twice }),
  updateRoute: withBody({ via: twice }),
  topUp: own('topUp', { category: 'UTILITY' }),
  replayReceipts: own('replayReceipts', { to: '2025-12-31T00:00:00Z', origin: 'nowhere' }),
  correctBalance: own('correctBalance', { units: 0 }),
  addOptOuts: own('addOptOuts', { teamId: undefined, serviceId: 'orders' }),
  removeOptOuts: own('removeOptOuts', { teamId: undefined, serviceId: 'orders' }),
  importOptOuts: own('importOptOuts', { teamId: undefined }),
  importPortedNumbers: own('importPortedNumbers', { numberColumn: 'msisdn' }),
};

/** 409. What is created exists already. */
export const againstStored: Refusals = {
  createUser: own('createUser'),
  updateUser: () => ({ path: { userId: 'root' }, body: { role: 'viewer' } }),
  createTeam: own('createTeam'),
  createClient: own('createClient'),
  createSmsService: own('createSmsService'),
  // That of the platform.
  updateSmsService: withBody({ sender: 'VERIFY' }),
  updateSender: withBody({ sender: 'VERIFY' }),
  reviewSender: () => ({ path: { senderId: 'verify' }, body: { decision: 'Approved' } }),
  createChatAppService: own('createChatAppService'),
  createChatAppSender: own('createChatAppSender'),
  updateChatAppSender: withBody({ connector: 'sms' }),
  createSender: own('createSender'),
  createQuietHours: own('createQuietHours'),
  createSenderRules: own('createSenderRules'),
  createSmsTemplate: own('createSmsTemplate'),
  updateSmsTemplate: withBody({ category: 'MARKETING' }),
  reviewSmsTemplate: (named) => ({
    path: { templateId: `${named.teamId}-approved` },
    body: { decision: 'APPROVED' },
  }),
  createChatAppTemplate: own('createChatAppTemplate'),
  reviewChatAppTemplate: withBody({ decision: 'PENDING' }),
  createCampaign: own('createCampaign'),
  createChannel: own('createChannel'),
  updateChannel: withBody({ connector: 'chat' }),
  createRoute: own('createRoute'),
  updateRoute: withBody({ via: [{ connector: 'chat' }] }),
  createConnector: own('createConnector'),
  updateConnector: withBody({ settings: { wings: 2 } }),
  removeConnector: () => ({ path: { connectorName: 'sms' } }),
  importChatAppTemplates: (named) => ({ path: { connectorName: 'sms' }, body: { teamId: named.teamId } }),
  topUp: own('topUp', { units: 6, reference: 'used' }),
  replayReceipts: own('replayReceipts', { expected: 5 }),
  correctBalance: own('correctBalance', { units: -1_000_000 }),
  importOptOuts: own('importOptOuts', { lines: '+254711000001' }),
  importPortedNumbers: own('importPortedNumbers', { parts: 2 }),
};

/** 404 although no id of the path is unknown. */
export const withUnknownNames: Refusals = {
  createUser: own('createUser', nowhere),
  createClient: own('createClient', nowhere),
  createSmsService: own('createSmsService', nowhere),
  createChatAppService: own('createChatAppService', nowhere),
  createChatAppSender: own('createChatAppSender', { id: '1', serviceId: 'nowhere' }),
  createSender: own('createSender', nowhere),
  createSmsTemplate: own('createSmsTemplate', nowhere),
  createChatAppTemplate: own('createChatAppTemplate', nowhere),
  createCampaign: own('createCampaign', nowhere),
  createChannel: own('createChannel', { connector: 'nowhere' }),
  createRoute: own('createRoute', { channel: 'nowhere' }),
  explainRoute: withBody({ phone: '+99912345678' }),
  importChatAppTemplates: withBody(nowhere),
  replayReceipts: own('replayReceipts', nowhere),
  releaseEndpoint: own('releaseEndpoint', nowhere),
  eraseSubject: own('eraseSubject', nowhere),
  addOptOuts: own('addOptOuts', nowhere),
  removeOptOuts: own('removeOptOuts', { serviceId: 'nowhere' }),
  importOptOuts: own('importOptOuts', nowhere),
  importPortedNumbers: own('importPortedNumbers', { codes: { x: 'nowhere' } }),
};

/** 403 for an admin of the team: properties that the platform sets. */
export const ofPlatform: Refusals = {
  createSmsService: own('createSmsService', { inboundConnectors: ['sms'] }),
  updateSmsService: withBody({ inboundConnectors: ['sms'] }),
  createSender: own('createSender', { uses: [{ status: 'Approved' }] }),
  updateSender: withBody({ sender: 'OTHER' }),
};
