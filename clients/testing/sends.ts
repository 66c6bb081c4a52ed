/** What each method that sends or previews posts: with every property of the document at least once. */
import { schemaNamed } from '../../spec/document.ts';

export interface RequestCase {
  operationId: string;
  call: string;
  args: Record<string, unknown>;
  options?: Record<string, unknown>;
  path: string;
  body?: unknown;
  /** Where the value of the method is in the response; all of it by default. */
  part?: 'result' | 'items';
}

const phones = ['+254711000000', '0733000000'];
const [first = ''] = phones;
const receiptRequest = { correlator: 'order-1', callbackUrl: 'https://client.example/receipts' };
const schedule = { sendAt: '2030-01-01T06:00:00Z', validUntil: '2030-01-01T09:00:00Z' };
/** As arguments. */
const common = { ...receiptRequest, ...schedule };
/** Of texts and templates: bundles have no quiet hours. */
const place = { timeZone: 'America/New_York' };
const options = { idempotencyKey: 'key-1', requestId: 'id-1' };

/** A send and its preview, which takes the same arguments and sends the same body. */
function withPreview(send: RequestCase, preview: string, previewId: string): RequestCase[] {
  const { part: _, options: _keyed, ...same } = send;
  return [
    send,
    {
      ...same,
      operationId: previewId,
      call: preview,
      path: `${send.path}/preview`,
      options: { requestId: 'id-1' },
    },
  ];
}

const sms = (args: object, body: object) =>
  withPreview(
    {
      operationId: 'sendSms',
      call: 'sms.send',
      args: { service: 'a/b ?', ...args },
      options,
      path: '/message/a%2Fb%20%3F',
      body,
      part: 'result',
    },
    'sms.preview',
    'previewSms',
  );

const data = (args: object, body: object) =>
  withPreview(
    {
      operationId: 'disburseMobileData',
      call: 'data.disburse',
      args: { campaign: 'c', ...args },
      options,
      path: '/data/c',
      body,
    },
    'data.preview',
    'previewMobileData',
  );

const chatapp = (args: object, body: object) =>
  chatappOf({ template: 'offer', ...args }, { templateId: 'offer', ...body });

const chatappOf = (args: object, body: object) =>
  withPreview(
    {
      operationId: 'sendChatAppTemplate',
      call: 'chatapp.send',
      args: { service: 's', phoneNumberId: '106', ...args },
      options,
      path: '/message/s/chatapp',
      body: { phoneNumberId: '106', ...body },
      part: 'result',
    },
    'chatapp.preview',
    'previewChatAppTemplate',
  );

interface Described {
  const?: string;
  examples?: unknown[];
  properties?: Record<string, Described>;
  items?: Described;
  oneOf?: Described[];
}

/** A value by its examples; a list has one of each kind. */
function exampleOf({ const: only, examples: [first] = [], properties = {}, items }: Described): unknown {
  if (only !== undefined || first !== undefined) return only ?? first;
  if (items !== undefined) return (items.oneOf ?? [items]).map(exampleOf);
  return Object.fromEntries(Object.entries(properties).map(([name, one]) => [name, exampleOf(one)]));
}

/** One of each kind; no template takes all of them. */
const chatParams = exampleOf({ items: schemaNamed('ChatAppParameter') });

const inReplyTo = '7d1c2f4a-8e0b-4c55-9b1e-3f7a2c6d9e10';
const media = exampleOf(schemaNamed('ChatAppMedia'));
const fallback = exampleOf(schemaNamed('ChatAppFallback'));
const ownFallback = { message: 'Habari', params: [{ name: 'name', value: 'Asha' }] };

export const sends: readonly RequestCase[] = [
  ...sms(
    { to: first, text: 'Habari – Ñandú 😀', flash: true, ...common, ...place },
    {
      type: 'SendToMany',
      addresses: [first],
      message: 'Habari – Ñandú 😀',
      messageClass: 0,
      schedule,
      ...place,
      receiptRequest,
    },
  ),
  ...sms(
    { messages: phones.map((to) => ({ to, text: `for ${to}` })), flash: true, ...common, ...place },
    {
      type: 'SendToEach',
      messages: phones.map((phone) => ({ phone, message: `for ${phone}` })),
      messageClass: 0,
      schedule,
      ...place,
      receiptRequest,
    },
  ),
  ...sms(
    { to: phones, template: 'order-shipped', params: { 1: 'Asha', 2: '4711' }, ...common, ...place },
    {
      type: 'TemplateSendToMany',
      templateId: 'order-shipped',
      addresses: phones,
      params: [
        { name: '1', value: 'Asha' },
        { name: '2', value: '4711' },
      ],
      schedule,
      ...place,
      receiptRequest,
    },
  ),
  ...sms(
    {
      template: 'order-shipped',
      messages: [{ to: first, params: { name: 'Asha' } }, { to: first }],
      ...common,
      ...place,
    },
    {
      type: 'TemplateSendToEach',
      templateId: 'order-shipped',
      messages: [
        { phone: first, params: [{ name: 'name', value: 'Asha' }] },
        { phone: first, params: [] },
      ],
      schedule,
      ...place,
      receiptRequest,
    },
  ),
  // Without any of what can be left out.
  ...sms({ to: phones, text: 'Habari' }, { type: 'SendToMany', addresses: phones, message: 'Habari' }),
  ...sms(
    { to: phones, template: 'plain' },
    { type: 'TemplateSendToMany', templateId: 'plain', addresses: phones, params: [] },
  ),
  ...data(
    { to: phones, denomination: '1GB', text: 'Enjoy', smsService: 's', ...common },
    {
      type: 'SendToMany',
      phones,
      denomination: '1GB',
      messaging: { message: 'Enjoy', serviceSelection: { type: 'SelfService', serviceId: 's' } },
      schedule,
      receiptRequest,
    },
  ),
  ...data(
    {
      disbursements: [
        { to: first, denomination: '1GB', text: 'Enjoy' },
        { to: first, denomination: '20MB' },
      ],
      ...common,
    },
    {
      type: 'SendToEach',
      disbursements: [
        { phone: first, denomination: '1GB', message: 'Enjoy' },
        { phone: first, denomination: '20MB' },
      ],
      messaging: { serviceSelection: { type: 'DefaultService' } },
      schedule,
      receiptRequest,
    },
  ),
  ...data(
    { to: first, denomination: '1GB', text: 'Enjoy' },
    {
      type: 'SendToMany',
      phones: [first],
      denomination: '1GB',
      messaging: { message: 'Enjoy', serviceSelection: { type: 'DefaultService' } },
    },
  ),
  ...data({ to: first, denomination: '1GB' }, { type: 'SendToMany', phones: [first], denomination: '1GB' }),
  ...data(
    { disbursements: [{ to: first, denomination: '1GB', text: 'Enjoy' }], smsService: 's' },
    {
      type: 'SendToEach',
      disbursements: [{ phone: first, denomination: '1GB', message: 'Enjoy' }],
      messaging: { serviceSelection: { type: 'SelfService', serviceId: 's' } },
    },
  ),
  ...chatapp(
    { to: phones, params: chatParams, fallback, ...common, ...place },
    {
      type: 'TemplateSendToMany',
      addresses: phones,
      params: chatParams,
      fallback,
      schedule,
      ...place,
      receiptRequest,
    },
  ),
  ...chatapp(
    {
      messages: [
        { to: first, params: chatParams },
        { to: first, fallback: ownFallback },
      ],
      ...{ fallback, ...common, ...place },
    },
    {
      type: 'TemplateSendToEach',
      messages: [
        { phone: first, params: chatParams },
        { phone: first, params: [], fallback: ownFallback },
      ],
      fallback,
      schedule,
      ...place,
      receiptRequest,
    },
  ),
  ...chatapp({ to: first }, { type: 'TemplateSendToMany', addresses: [first], params: [] }),
  ...chatappOf(
    { inReplyTo, text: 'Leo', ...receiptRequest },
    { type: 'Reply', inReplyTo, text: 'Leo', receiptRequest },
  ),
  ...chatappOf({ inReplyTo, media }, { type: 'Reply', inReplyTo, media }),
];
