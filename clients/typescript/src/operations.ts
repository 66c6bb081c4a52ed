/** The operations of the API with their paths, and the types that the OpenAPI document gives each. */
import type { operations } from './openapi.d.ts';

/**
 * Whether a retry is safe. `keyed`: yes, with the same Idempotency-Key; `harmless`: yes, a second call changes nothing;
 * `unsafe`: no, it would take effect again.
 */
type Retry = 'keyed' | 'harmless' | 'unsafe';

interface Route {
  readonly method: 'GET' | 'POST';
  readonly path: `/${string}`;
  readonly retry: Retry;
}

const get = <const Path extends string>(path: Path) => ({ method: 'GET', path, retry: 'harmless' }) as const;
const post = <const Path extends string, const Kind extends Retry>(path: Path, retry: Kind) =>
  ({ method: 'POST', path, retry }) as const;

/** Does not compile without an entry for each operation of the document. */
export const routes = {
  sendSms: post('/message/{serviceId}', 'keyed'),
  previewSms: post('/message/{serviceId}/preview', 'harmless'),
  disburseMobileData: post('/data/{campaignId}', 'keyed'),
  previewMobileData: post('/data/{campaignId}/preview', 'harmless'),
  sendChatAppTemplate: post('/message/{serviceId}/chatapp', 'keyed'),
  previewChatAppTemplate: post('/message/{serviceId}/chatapp/preview', 'harmless'),
  listMessages: get('/messages'),
  listRequests: get('/requests'),
  getRequest: get('/requests/{requestId}'),
  cancelRequest: post('/requests/{requestId}/cancel', 'harmless'),
  listRequestMessages: get('/requests/{requestId}/messages'),
  listInboundMessages: get('/inbound-messages'),
  listReceipts: get('/receipts'),
  getReceipt: get('/receipts/{receiptId}'),
  resendReceipt: post('/receipts/{receiptId}/resend', 'unsafe'),
  replayReceipts: post('/receipts/replay', 'unsafe'),
  testReceipt: post('/receipts/test', 'unsafe'),
  listOptOuts: get('/opt-outs'),
  addOptOuts: post('/opt-outs', 'harmless'),
  removeOptOuts: post('/opt-outs/remove', 'harmless'),
  listBalances: get('/balances'),
  listServices: get('/services'),
  getService: get('/services/{serviceId}'),
  listTemplates: get('/templates'),
  getTemplate: get('/templates/{templateId}'),
  listCampaigns: get('/campaigns'),
  getCampaign: get('/campaigns/{campaignId}'),
} as const satisfies Record<Exclude<keyof operations, `on${string}` | 'issueToken'>, Route>;

export type OperationId = keyof typeof routes;

/** The JSON body of a request. */
export type Body<Id extends OperationId> = operations[Id] extends {
  requestBody: { content: { 'application/json': infer Content } };
}
  ? Content
  : undefined;

type Parameters<Id extends OperationId> = NonNullable<operations[Id]['parameters']['query']>;

/** The query parameters of a request; a time may be a Date. */
export type Query<Id extends OperationId> = {
  [Name in keyof Parameters<Id>]:
    | Parameters<Id>[Name]
    | (Name extends 'from' | 'to' ? Date : never)
    | undefined;
};

/** The ids in the path of a request. */
export type PathIds<Id extends OperationId> = NonNullable<operations[Id]['parameters']['path']>;

/** The JSON body of a 200. */
export type Result<Id extends OperationId> = operations[Id]['responses'][200]['content']['application/json'];

/** What a call sends. Only the parts that the operation has. */
export type Input<Id extends OperationId> = ([PathIds<Id>] extends [never] ? object : { path: PathIds<Id> }) &
  ([Parameters<Id>] extends [never] ? object : { query?: Query<Id> }) &
  ([Body<Id>] extends [undefined] ? object : { body: Body<Id> });

/** The path and query of a call. */
export function targetOf(
  path: string,
  ids: Readonly<Record<string, string>> = {},
  query: Readonly<Record<string, string | number | boolean | Date | undefined>> = {},
): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query))
    if (value !== undefined)
      parameters.set(name, value instanceof Date ? value.toISOString() : String(value));
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => segmentOf(name, ids[name]));
  return parameters.size === 0 ? filled : `${filled}?${parameters}`;
}

/** URL parsers remove `.` and `..`, however they are encoded: the call would reach another operation. */
function segmentOf(name: string, id = ''): string {
  if (/^\.{0,2}$/.test(id)) throw new TypeError(`${name} must be an id, not "${id}"`);
  return encodeURIComponent(id);
}
