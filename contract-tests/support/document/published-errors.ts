/** For each error of a request's content that the document publishes: a call that brings it about. */
import type { AnswerExample, DocumentedOperation } from '../../../spec/document.ts';
import type { Demo } from '../../../src/demo/file.ts';
import type { Team } from '../management/team.ts';
import { bundleToEach, bundleToMany, defaultService, selfService } from '../requests/disbursement.ts';
import { phones, templateToEach, templateToMany, toEach, toMany } from '../requests/sms.ts';

/** What a call has besides its operation; by default the demo's ids, the demo's token and a published body. */
export interface Call {
  body?: unknown;
  headers?: Record<string, string>;
  query?: string;
  /** Parameters of the path. */
  ids?: Record<string, string>;
  /** The caller is the team without units. */
  byPoorTeam?: true;
}

/** What the calls name. */
export interface World {
  demo: Demo;
  /** Has no units, but an account for each. */
  poor: Team;
}

/** Ids of what the demo has not, made for these calls. */
export const made = {
  idleSms: 'idle-sms',
  unapprovedSms: 'unapproved-sms',
  codesSms: 'codes-sms',
  /** Of a sender that a rule of its country refuses. */
  genericSms: 'generic-sms',
  idleChatApp: 'idle-chatapp',
  orphaned: 'orphaned',
  mixedUp: 'mixed-up',
  paused: 'chat-paused',
  /** An inbound message of two days ago. */
  closed: '0c0f8f6e-5b1f-4b51-9d61-2f7fd0dc6f5b',
  /** A channel that needs registrations. */
  strict: 'Bharat',
} as const;

type Maker = (world: World) => Call;

const json = { 'content-type': 'application/json' };
const raw =
  (body: unknown, headers: Record<string, string> = json): Maker =>
  () => ({ body, headers });

/** Of every operation with a JSON body. */
const forms: Readonly<Record<string, Maker>> = {
  schemaViolation: raw({}),
  malformedBody: raw('{"type":'),
  unsupportedContentType: raw('type=x', { 'content-type': 'application/x-www-form-urlencoded' }),
  unsupportedContentEncoding: raw('{}', { ...json, 'content-encoding': 'gzip' }),
  bodyTooLarge: raw(`"${'x'.repeat(1_048_576)}"`),
  invalidEncoding: raw(new Uint8Array([0x22, 0xff, 0x22])),
  tooDeeplyNested: raw('['.repeat(21) + ']'.repeat(21)),
  tooManyValues: raw(`[${Array(100_000).fill('{}').join(',')}]`),
  tooManyProperties: raw(`{${Array.from({ length: 1_001 }, (_, index) => `"${index}":1`).join(',')}}`),
  invalidCharacters: raw('{"type":"\\u0000"}'),
  invalidIdempotencyKey: () => ({ headers: { 'idempotency-key': 'x'.repeat(256) } }),
};

/** Of every operation that reads. */
const reads: Readonly<Record<string, Maker>> = {
  invalidPhones: () => ({ query: 'phone=12345' }),
  invalidPeriod: () => ({ query: 'from=2026-01-02T00:00:00Z&to=2026-01-01T00:00:00Z' }),
  invalidCursor: () => ({ query: 'cursor=djEuMm9sZGVy' }),
};

const phone = '0711000000';
/** Of the strict channel. */
export const strictPrefix = '9194';
const strictPhone = `+${strictPrefix}00000001`;

/** Where the demo client may not send to. */
export const deniedPhone = '+254712999999';

/** Errors that every send has, by how a send writes them; previews have those of their sends. */
interface Send {
  to: (world: World, written: string[], more?: object) => object;
  others: Readonly<Record<string, Maker>>;
}

const elsewhere = { receiptRequest: { correlator: 'c', callbackUrl: 'ftp://client.example' } };
const tooSoon = { schedule: { sendAt: '2020-01-01T00:00:00Z' } };

const sendErrors = ({ to, others }: Send): Record<string, Maker> => ({
  ...forms,
  invalidPhones: (world) => ({ body: to(world, ['12345', phone, '+999000']) }),
  noChannel: (world) => ({ body: to(world, ['+255712345678', phone, '0744123456']) }),
  destinationNotAllowed: (world) => ({ body: to(world, [deniedPhone]) }),
  noRecipients: (world) => ({ body: to(world, []) }),
  tooManyRecipients: (world) => ({ body: to(world, phones(101)) }),
  invalidCorrelator: (world) => ({
    body: to(world, [phone], { receiptRequest: { ...elsewhere.receiptRequest, correlator: '' } }),
  }),
  invalidCallbackUrl: (world) => ({ body: to(world, [phone], elsewhere) }),
  forbiddenCallbackAddress: (world) => ({
    body: to(world, [phone], { receiptRequest: { correlator: 'c', callbackUrl: 'http://10.0.0.1/' } }),
  }),
  scheduleInvalid: (world) => ({ body: to(world, [phone], tooSoon) }),
  timeZoneInvalid: (world) => ({ body: to(world, [phone], { timeZone: 'Africa/Wakanda' }) }),
  serviceUnknown: () => ({ ids: { serviceId: 'no-such' } }),
  campaignUnknown: () => ({ ids: { campaignId: 'no-such' } }),
  ...others,
});

const named = [{ name: 'order', value: '47a' }];
const sms = sendErrors({
  to: (_world, written, more) => toMany(written, 'Habari', more),
  others: {
    misspelt: raw(toMany([phone], 'x', { receiptRequst: {} })),
    noMessages: raw(toEach([])),
    emptyMessage: raw(toMany([phone], ' ')),
    registrationsMissing: raw(toMany([strictPhone], 'Habari')),
    textsDiffer: raw(toEach([{ phone, message: 'a', text: 'b' }])),
    serviceNotActive: () => ({ ids: { serviceId: made.idleSms } }),
    templateUnknown: raw(templateToMany('no-such', [phone], [])),
    templateNotSendable: ({ demo }) => ({ body: templateToMany(demo.templates.pending, [phone], []) }),
    managedServiceUnknown: raw(templateToMany(made.orphaned, [phone], [])),
    categoryMismatch: raw(templateToMany(made.mixedUp, [phone], [])),
    senderNotApproved: () => ({ ids: { serviceId: made.unapprovedSms } }),
    senderOfCategory: () => ({ ids: { serviceId: made.codesSms } }),
    senderRuleBroken: () => ({ ids: { serviceId: made.genericSms } }),
    parametersToEach: ({ demo }) => ({
      body: templateToEach(demo.templates.named, [{ phone, params: named }]),
    }),
    parametersToMany: ({ demo }) => ({ body: templateToMany(demo.templates.named, [phone], named) }),
    insufficientUnits: ({ poor }) => ({ ids: { serviceId: poor.smsServiceId }, byPoorTeam: true }),
  },
});

const bundle = { phone, denomination: '1GB' };
const data = sendErrors({
  to: (_world, written, more) => bundleToMany(written, '1GB', more),
  others: {
    noMessages: raw(bundleToEach([])),
    emptyMessage: raw(bundleToEach([{ ...bundle, message: '' }], { messaging: defaultService })),
    registrationsMissing: raw(
      bundleToEach([{ ...bundle, phone: strictPhone, message: 'x' }], { messaging: defaultService }),
    ),
    campaignNotActive: ({ demo }) => ({ ids: { campaignId: demo.campaigns.archived } }),
    campaignExpired: ({ demo }) => ({ ids: { campaignId: demo.campaigns.expired } }),
    denominationsNotAllowed: raw(
      bundleToEach(['5GB', '1GB', '10GB'].map((denomination) => ({ ...bundle, denomination }))),
    ),
    serviceUnknown: raw(bundleToEach([{ ...bundle, message: 'x' }], { messaging: selfService('no-such') })),
    serviceNotActive: raw(
      bundleToEach([{ ...bundle, message: 'x' }], { messaging: selfService(made.idleSms) }),
    ),
    senderNotApproved: raw(
      bundleToEach([{ ...bundle, message: 'x' }], { messaging: selfService(made.unapprovedSms) }),
    ),
    senderOfCategory: raw(
      bundleToEach([{ ...bundle, message: 'x' }], { messaging: selfService(made.codesSms) }),
    ),
    senderRuleBroken: raw(
      bundleToEach([{ ...bundle, message: 'x' }], { messaging: selfService(made.genericSms) }),
    ),
    insufficientUnits: ({ poor }) => ({
      body: bundleToMany([phone]),
      ids: { campaignId: poor.campaignId },
      byPoorTeam: true,
    }),
  },
});

const chatAppTo = ({ demo }: World, addresses: string[], more: object = {}) => ({
  type: 'TemplateSendToMany',
  phoneNumberId: demo.phoneNumberIds[0],
  addresses,
  templateId: demo.chatAppTemplates.named.id,
  params: demo.chatAppTemplates.named.params,
  ...more,
});
const bodyNamed = (name: string, value = 'x') => ({ type: 'BodyNamedParameter', name, value });
const reply =
  (inReplyTo: string, content: object = { text: 'Leo' }): Maker =>
  ({ demo }) => ({
    body: { type: 'Reply', phoneNumberId: demo.phoneNumberIds[0], inReplyTo, ...content },
  });
const greeted =
  (params: readonly object[]): Maker =>
  (world) => ({ body: chatAppTo(world, [phone], { templateId: 'chat-greeting', params }) });
const shop = { type: 'HeaderNamedParameter', name: 'shop', value: 'Duka' };
const chatApp = sendErrors({
  to: chatAppTo,
  others: {
    noMessages: ({ demo }) => ({
      body: {
        type: 'TemplateSendToEach',
        phoneNumberId: demo.phoneNumberIds[0],
        templateId: 'chat-greeting',
        messages: [],
      },
    }),
    serviceNotActive: () => ({ ids: { serviceId: made.idleChatApp } }),
    phoneNumberUnknown: (world) => ({ body: chatAppTo(world, [phone], { phoneNumberId: '1' }) }),
    inboundMessageUnknown: reply('00000000-0000-4000-8000-000000000000'),
    sessionClosed: reply(made.closed),
    replyInvalid: reply('7d1c2f4a-8e0b-4c55-9b1e-3f7a2c6d9e10', {}),
    fallbackInvalid: (world) => {
      const { id: templateId, params } = world.demo.chatAppTemplates.otp;
      const fallback = { serviceId: world.demo.smsServiceId, after: 60 };
      return { body: chatAppTo(world, [phone], { templateId, params, fallback }) };
    },
    numberRequired: (world) => {
      const { id: templateId, params } = world.demo.chatAppTemplates.otp;
      return { body: chatAppTo(world, ['KE.13491208655302741918'], { templateId, params }) };
    },
    templateUnknown: (world) => ({ body: chatAppTo(world, [phone], { templateId: 'no-such' }) }),
    templateNotSendable: (world) => ({ body: chatAppTo(world, [phone], { templateId: made.paused }) }),
    parametersToEach: ({ demo }) => ({
      body: {
        type: 'TemplateSendToEach',
        phoneNumberId: demo.phoneNumberIds[0],
        templateId: 'chat-greeting',
        messages: [{ phone, params: [] }],
      },
    }),
    parametersToMany: greeted([bodyNamed('city'), shop]),
    parameterFaults: greeted([bodyNamed('a b'), bodyNamed('city')]),
    valueFaults: greeted([bodyNamed('name', '')]),
    componentFaults: greeted([bodyNamed('name'), shop, { type: 'CopyParameter', position: 1, value: 'x' }]),
    insufficientUnits: ({ poor }) => ({
      body: {
        type: 'TemplateSendToMany',
        phoneNumberId: poor.phoneNumberId,
        addresses: [phone],
        templateId: poor.chatAppTemplate.id,
        params: poor.chatAppTemplate.params,
      },
      ids: { serviceId: poor.chatAppServiceId },
      byPoorTeam: true,
    }),
  },
});

const form = (fields: string, headers: Record<string, string> = {}): Maker =>
  raw(fields, { 'content-type': 'application/x-www-form-urlencoded', ...headers });
/** With the demo's credentials. */
const granted =
  (fields: string): Maker =>
  (world) =>
    form(`${fields}&client_id=demo&client_secret=${world.demo.clientSecret}`)(world);
const grant = 'grant_type=client_credentials';
const basic = { authorization: `Basic ${btoa('demo:x')}` };
const uuid = '00000000-0000-4000-8000-000000000000';
const replay = { from: '2026-01-02T00:00:00Z', which: 'All' };

const own: Readonly<Record<string, Readonly<Record<string, Maker>>>> = {
  sendSms: sms,
  previewSms: sms,
  disburseMobileData: data,
  previewMobileData: { ...data, denominationsNotAllowed: raw(bundleToMany([phone], '10GB')) },
  sendChatAppTemplate: chatApp,
  previewChatAppTemplate: chatApp,
  getService: { schemaViolation: () => ({ query: 'product=Fax' }) },
  getTemplate: {
    schemaViolation: () => ({ query: 'product=Fax' }),
    templateMissing: () => ({ ids: { templateId: 'nope' } }),
  },
  addOptOuts: optOuts({ product: 'Sms', target: 'ALL' }),
  removeOptOuts: optOuts({ product: 'Sms', consent: 'Letter' }),
  replayReceipts: { invalidReplayPeriod: raw({ ...replay, to: replay.from }) },
  testReceipt: {
    invalidTestUrl: raw({ callbackUrl: 'ftp://client.example/' }),
    forbiddenTestAddress: raw({ callbackUrl: 'http://10.0.0.1/' }),
  },
  getInboundMedia: { mediaMissing: () => ({ ids: { messageId: made.closed } }) },
  issueToken: {
    invalidRequest: form('client_id=demo&client_secret=x'),
    parameterRepeated: form(`${grant}&${grant}`),
    credentialsTwice: form(`${grant}&client_id=demo&client_secret=x`, basic),
    clientIdsDiffer: form(`${grant}&client_id=other`, basic),
    unsupportedGrantType: granted('grant_type=password'),
    invalidScope: granted(`${grant}&scope=admin`),
    invalidClient: form(`${grant}&client_id=demo&client_secret=x`),
  },
};

function optOuts(more: object): Record<string, Maker> {
  return {
    invalidPhones: raw({ ...more, phones: ['abc', phone] }),
    serviceUnknown: raw({ ...more, phones: [phone], serviceId: 'nope' }),
  };
}

/** What is not in the path: every id of it names nothing. */
const unknown: Maker = () => ({
  ids: { serviceId: 'nope', campaignId: 'nope', requestId: uuid, receiptId: uuid, messageId: uuid },
});
const noRoute: Maker = () => ({
  ids: Object.fromEntries(
    ['serviceId', 'campaignId', 'templateId', 'requestId', 'receiptId', 'messageId'].map((name) => [
      name,
      'a.b',
    ]),
  ),
});

/** Undefined for an error that nothing here brings about. */
export function callFor({ operation, name }: AnswerExample): Maker | undefined {
  const maker = own[operation.operationId]?.[name];
  if (maker !== undefined) return maker;
  if (name === 'noRoute') return noRoute;
  if (/Unknown$/.test(name)) return unknown;
  if (operation.requestBody !== undefined) return forms[name];
  return name === 'schemaViolation' ? () => ({ query: `${badQueryOf(operation)}` }) : reads[name];
}

const badQueryOf = ({ parameters = [] }: DocumentedOperation) =>
  parameters.some(({ name }) => name === 'limit') ? 'limit=0' : 'colour=red';
