/** One valid call of every management operation, on the resources of a team. */
import type { ManagementDocument, ManagementOperationId } from '../../../handlers/management/operation.ts';
import type { BodyOf } from '../../../src/http/contract/operation.ts';
import type { Answer, CallManagement } from './caller.ts';
import { needsIfMatch, operations } from './document.ts';
import type { Named } from './named.ts';
import { addMessage } from './sent-message.ts';
import type { ManagementService } from './service.ts';

/** Of the channel of each prefix of names. */
const phonePrefixes: Readonly<Record<string, string>> = { acme: '2541', rival: '2542', other: '2543' };
const prefixOf = (channel: string) => phonePrefixes[channel.split('-')[0] ?? ''] ?? '2549';
const optOutOf = ({ teamId, serviceId }: Named) => ({ product: 'Sms' as const, teamId, serviceId });
const windows = { mondayToFriday: '08:00-24:00', saturday: '09:00-13:00', sunday: '10:00-12:15' };
const components = { body: { text: 'Habari {{name}}' }, buttons: [] };

type Bodies = {
  [O in ManagementOperationId]: BodyOf<O, ManagementDocument> extends undefined
    ? undefined
    : (named: Named) => BodyOf<O, ManagementDocument>;
};

/** Total over the operations: one more in the contract does not compile until it has a row. */
export const bodies: Bodies = {
  listUsers: undefined,
  createUser: ({ userId, teamId }) => ({ id: userId, teamId, role: 'admin' }),
  getUser: undefined,
  updateUser: ({ userId }) => ({
    name: 'Juma',
    role: 'viewer',
    enabled: true,
    ssoName: `${userId}@example.com`,
  }),
  rotateUserKey: undefined,
  revokeFormerUserKey: undefined,
  listTeams: undefined,
  createTeam: ({ teamId }) => ({ id: teamId }),
  getTeam: undefined,
  updateTeam: () => ({
    name: 'Acme Ltd',
    ratePerSecond: 50,
    operationRates: { sendSms: 20 },
    textDays: 30,
    receiptDays: 40,
    numberDays: 50,
  }),
  listClients: undefined,
  createClient: ({ clientId, teamId }) => ({ id: clientId, teamId, scopes: ['message.sms.send.oneway'] }),
  getClient: undefined,
  updateClient: () => ({
    name: 'Orders',
    scopes: ['message.sms.send.oneway'],
    allowedAddresses: ['127.0.0.0/8'],
    webOrigins: ['https://shop.example.com'],
    ratePerSecond: 5,
  }),
  rotateClientSecret: () => ({ secret: 'client' }),
  revokeFormerClientSecrets: undefined,
  revokeClient: undefined,
  restoreClient: undefined,
  listSmsServices: undefined,
  createSmsService: ({ serviceId, teamId, clientId }) => ({
    id: serviceId,
    teamId,
    sender: 'ACME',
    inboundClientId: clientId,
  }),
  getSmsService: undefined,
  updateSmsService: ({ clientId }) => ({
    ...{ name: 'Orders', sender: 'ORDERS', status: 'Active', purpose: 'UTILITY' },
    quietHours: false,
    validitySeconds: 3600,
    inboundCallbackUrl: 'https://shop.example.com/inbound',
    inboundKeywords: [{ word: 'BASI', action: 'OptOut', reply: 'Sawa.' }],
    inboundClientId: clientId,
  }),
  listChatAppServices: undefined,
  createChatAppService: ({ chatAppServiceId, teamId, clientId }) => ({
    id: chatAppServiceId,
    teamId,
    inboundClientId: clientId,
  }),
  getChatAppService: undefined,
  updateChatAppService: ({ clientId }) => ({
    ...{ name: 'Support', status: 'Active', quietHours: false, inboundClientId: clientId },
    inboundCallbackUrl: 'https://shop.example.com/inbound',
    inboundKeywords: [{ word: 'BASI', action: 'OptOut', reply: 'Sawa.' }],
  }),
  listSenders: undefined,
  createSender: ({ senderId, chatAppServiceId }) => ({
    id: senderId,
    serviceId: chatAppServiceId,
    phone: '+254711000000',
    connector: 'chat',
  }),
  getSender: undefined,
  updateSender: () => ({ phone: '+254711000001', connector: 'chat-simulator' }),
  listManagedSenders: undefined,
  createManagedSender: ({ managedSenderKey: key }) => ({ key, category: 'UTILITY', sender: 'VERIFY' }),
  getManagedSender: undefined,
  updateManagedSender: () => ({ name: 'Codes', category: 'UTILITY', sender: 'CODES' }),
  listSmsTemplates: undefined,
  listQuietHours: undefined,
  createQuietHours: ({ country }) => ({ country, mondayToFriday: '08:00-20:00' }),
  getQuietHours: undefined,
  updateQuietHours: () => ({ enabled: true, ...windows, holidays: ['2026-12-25'], source: 'a law' }),
  createSmsTemplate: ({ templateId, teamId, managedSenderKey: managedServiceKey }) => ({
    id: templateId,
    teamId,
    content: 'Code {{code}}',
    category: 'UTILITY',
    managedServiceKey,
    paramDefinitions: [{ name: 'code', format: 'Numeric', required: true, maxLength: 8 }],
  }),
  getSmsTemplate: undefined,
  updateSmsTemplate: ({ managedSenderKey: managedServiceKey }) => ({
    content: 'Your code is {{code}}',
    description: 'For logins',
    category: 'UTILITY',
    status: 'Active',
    managedServiceKey,
    paramDefinitions: [{ name: 'code', format: 'Numeric', required: true, maxLength: 6 }],
  }),
  reviewSmsTemplate: () => ({ decision: 'APPROVED', comment: 'Fine.' }),
  previewSmsTemplate: () => ({ params: [{ name: 'code', value: '4711' }] }),
  listChatAppTemplates: undefined,
  createChatAppTemplate: ({ chatAppTemplateId, teamId }) => ({
    id: chatAppTemplateId,
    teamId,
    language: 'en',
    category: 'UTILITY',
    components,
  }),
  getChatAppTemplate: undefined,
  updateChatAppTemplate: () => ({
    name: 'hello',
    language: 'sw',
    category: 'MARKETING',
    components: { ...components, header: { format: 'TEXT', text: 'Hello' } },
  }),
  reviewChatAppTemplate: () => ({ decision: 'APPROVED' }),
  previewChatAppTemplate: () => ({ params: [{ type: 'BodyNamedParameter', name: 'name', value: 'Asha' }] }),
  importChatAppTemplates: ({ teamId }) => ({ teamId }),
  setChatAppTemplateStatus: () => ({ status: 'Archived' }),
  listCampaigns: undefined,
  createCampaign: ({ campaignId, teamId, serviceId }) => ({
    id: campaignId,
    teamId,
    serviceId,
    allowedDenominations: ['100MB'],
    frequency: 'Monthly',
    expiresAt: '2100-01-01T00:00:00Z',
  }),
  getCampaign: undefined,
  updateCampaign: ({ serviceId }) => ({
    name: 'Top customers',
    serviceId,
    status: 'Active',
    allowedDenominations: ['50MB', '1GB'],
    frequency: 'Weekly',
    expiresAt: '2101-01-01T00:00:00.000Z',
  }),
  listChannels: undefined,
  createChannel: ({ channelName }) => ({
    name: channelName,
    prefixes: [prefixOf(channelName)],
    connector: 'sms',
  }),
  getChannel: undefined,
  updateChannel: ({ channelName }) => ({
    prefixes: [`${prefixOf(channelName)}0`],
    connector: 'simulator',
    bundleConnector: 'bundle-simulator',
    promotionalSuffix: 'STOP*456*9*5#',
    active: false,
  }),
  listConnectors: undefined,
  createConnector: ({ connectorName }) => ({
    name: connectorName,
    kind: 'whatsapp',
    settings: { businessAccountId: '81' },
    secrets: { token: 'canary-token' },
  }),
  getConnector: undefined,
  updateConnector: () => ({ secrets: { token: 'canary-other' } }),
  pauseConnector: () => ({ reason: 'Maintenance' }),
  resumeConnector: undefined,
  testConnector: undefined,
  removeConnector: undefined,
  listAccounts: undefined,
  listAccountsNearEmpty: undefined,
  topUp: () => ({ product: 'Sms', units: 100, reference: 'invoice-1' }),
  correctBalance: () => ({ product: 'Sms', units: -1, reference: 'correction-1', note: 'One too many' }),
  listLedgerEntries: undefined,
  getStatement: undefined,
  exportStatement: undefined,
  listRequests: undefined,
  getRequest: undefined,
  cancelRequest: undefined,
  listRequestMessages: undefined,
  getMessage: undefined,
  listMessages: undefined,
  listInboundMessages: undefined,
  listReceipts: undefined,
  getReceipt: undefined,
  listEndpoints: undefined,
  getEndpoint: undefined,
  releaseEndpoint: ({ teamId }) => ({ teamId, origin: `https://${teamId}.example` }),
  resendReceipt: undefined,
  replayReceipts: ({ teamId }) => ({ teamId, since: '2026-01-01T00:00:00Z', which: 'All' }),
  getStatistics: undefined,
  getMinuteStatistics: undefined,
  getReceiptStatistics: undefined,
  getInboundStatistics: undefined,
  listOptOuts: undefined,
  addOptOuts: (named) => ({ ...optOutOf(named), phones: ['+254711000000'], target: 'ALL' }),
  removeOptOuts: (named) => ({ ...optOutOf(named), phones: ['+254711000000'], consent: 'Letter' }),
  listOptOutImports: undefined,
  importOptOuts: (named) => ({
    ...{ ...optOutOf(named), id: named.importId, part: 1 },
    ...{ lines: '+254711000000', target: 'ALL' },
  }),
  getOptOutImport: undefined,
  listQuarantinedItems: undefined,
  retryQuarantinedItem: undefined,
  eraseSubject: ({ teamId }) => ({ phone: '+254711999999', teamId }),
  listAuditEntries: undefined,
};

/** What every team's resources stand on. */
const shared: [operation: string, body: object][] = [
  ['POST /connectors', { name: 'sms', kind: 'simulator' }],
  ['POST /connectors', { name: 'chat', kind: 'chat-simulator' }],
];

export async function addShared(root: CallManagement): Promise<void> {
  for (const [operation, body] of shared) requireSuccess(await root(operation, body), operation);
}

/** Adds one of each resource for a team. */
export async function addResources(
  { management }: ManagementService,
  root: CallManagement,
  named: Named,
): Promise<Named> {
  // A team comes before its users.
  const creating = operations
    .filter(({ operationId }) => operationId.startsWith('create'))
    .sort(
      (one, other) => Number(other.operationId === 'createTeam') - Number(one.operationId === 'createTeam'),
    );
  for (const { operationId, path } of creating)
    requireSuccess(await root(`POST ${path}`, bodies[operationId]?.(named)), path);
  requireSuccess(await root('POST /opt-outs/imports', bodies.importOptOuts(named)), 'import', 200);
  const [item] = await management
    .knex('quarantine')
    .insert({ round: 'report', item: named.teamId, payload: '{}', reason: 'made by a test' })
    .returning('id');
  await addMessage(management, named);
  return { ...named, itemId: String(item.id) };
}

function requireSuccess({ status, text }: Answer, what: string, expected = 201): void {
  if (status !== expected) throw new Error(`${what}: ${status} ${text}`);
}

type Operation = (typeof operations)[number];

/** The names with another one for what the operation creates. */
export function namedForNew({ path }: Operation, named: Named, others: Named): Named {
  const one = operations.find((other) => other.path.startsWith(`${path}/{`));
  const [, parameter = ''] = /\{(\w+)\}$/.exec(one?.path ?? '') ?? [];
  return { ...named, [parameter]: others[parameter as keyof Named] };
}

/** The path of a call with its ids, such as `PATCH /teams/acme`. */
export function requestOf(
  { method, path, parameters = [] }: Pick<Operation, 'method' | 'path' | 'parameters'>,
  named: Named,
): string {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => named[name as keyof Named]);
  const query = parameters
    .filter((one) => one.in === 'query' && one.required)
    .map(({ name, example }) => `${name}=${example}`);
  return `${method.toUpperCase()} ${filled}${query.length === 0 ? '' : `?${query.join('&')}`}`;
}

/** Calls an operation as it is meant to be called: with a valid body and the current ETag. */
export async function callOperation(as: CallManagement, operation: Operation, named: Named): Promise<Answer> {
  const body = bodies[operation.operationId]?.(named);
  const headers = needsIfMatch(operation) ? { 'if-match': await etagFor(as, operation, named) } : {};
  return as(requestOf(operation, named), body, headers);
}

/** Of the resource that the operation changes. */
export async function etagFor(as: CallManagement, { path }: Operation, named: Named): Promise<string> {
  const resource = path.slice(0, path.lastIndexOf('}') + 1);
  const { headers } = await as(requestOf({ method: 'get', path: resource }, named));
  return headers.get('etag') ?? '"none"';
}
