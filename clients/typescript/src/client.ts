/** The client of the Tarishi API, and everything that the package exports. */
import { type Caller, createCaller, type TarishiOptions } from './caller.ts';
import { ChatApp } from './chatapp.ts';
import { Data } from './data.ts';
import type { OperationId, Query } from './operations.ts';
import { type Item, List, OptOuts, Receipts, Requests, Resources } from './reading.ts';
import { Sms } from './sms.ts';

export type { CallOptions, TarishiOptions } from './caller.ts';
export type { ChatAppParameter, ChatAppRequest, ChatAppResponse } from './chatapp.ts';
export type { DataRequest, DataResponse, Denomination } from './data.ts';
export { TarishiConnectionError, TarishiError, TarishiReceiptError } from './errors.ts';
export type { components, operations } from './openapi.d.ts';
export type { Page } from './reading.ts';
export {
  expressReceiptHandler,
  fetchReceiptHandler,
  koaReceiptHandler,
  nodeReceiptHandler,
} from './receipts/handlers.ts';
export type { ReceiptHandlerOptions } from './receipts/response.ts';
export { type DeliveryReceipt, type InboundMessage, type Posted, verifyReceipt } from './receipts/verify.ts';
export type { SmsRequest, SmsResponse, TemplateValues } from './sms.ts';

type Listed<Id extends OperationId> = List<Query<Id>, Item<Id>>;

/**
 * Calls the service on behalf of one client. It gets tokens, retries what is safe to retry and rejects with a
 * TarishiError. Make one and share it: its calls share a token.
 */
export class Tarishi {
  readonly sms: Sms;
  readonly data: Data;
  readonly chatapp: ChatApp;
  readonly messages: Listed<'listMessages'>;
  readonly requests: Requests;
  /** What people sent to the senders of your team. */
  readonly inbound: Listed<'listInboundMessages'>;
  readonly receipts: Receipts;
  readonly optOuts: OptOuts;
  readonly balances: Listed<'listBalances'>;
  readonly services: Resources<Query<'listServices'>, Item<'listServices'>, Query<'getService'>>;
  readonly templates: Resources<Query<'listTemplates'>, Item<'listTemplates'>, Query<'getTemplate'>>;
  readonly campaigns: Resources<Query<'listCampaigns'>, Item<'listCampaigns'>>;
  /** Calls any operation of the OpenAPI document by its `operationId`, with the types of the document. */
  readonly call: Caller;

  constructor(options: TarishiOptions) {
    const call = createCaller(options);
    this.call = call;
    this.sms = new Sms(call);
    this.data = new Data(call);
    this.chatapp = new ChatApp(call);
    this.messages = new List((query, options) => call('listMessages', { query }, options));
    this.requests = new Requests(call);
    this.inbound = new List((query, options) => call('listInboundMessages', { query }, options));
    this.receipts = new Receipts(call);
    this.optOuts = new OptOuts(call);
    this.balances = new List((query, options) => call('listBalances', { query }, options));
    this.services = new Resources(
      (query, options) => call('listServices', { query }, options),
      (serviceId, query, options) => call('getService', { path: { serviceId }, query: query ?? {} }, options),
    );
    this.templates = new Resources(
      (query, options) => call('listTemplates', { query }, options),
      (templateId, query, options) =>
        call('getTemplate', { path: { templateId }, query: query ?? {} }, options),
    );
    this.campaigns = new Resources(
      (query, options) => call('listCampaigns', { query }, options),
      (campaignId, _choice, options) => call('getCampaign', { path: { campaignId } }, options),
    );
  }
}
