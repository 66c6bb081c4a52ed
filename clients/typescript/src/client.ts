/** The client of the Tarishi API, and everything that the package exports. */
import { type Caller, createCaller, type TarishiOptions } from './caller.ts';
import { Methods } from './methods.ts';

export type { CallOptions, TarishiOptions } from './caller.ts';
export type {
  ChatAppFallback,
  ChatAppMedia,
  ChatAppParameter,
  ChatAppRequest,
  ChatAppResponse,
} from './chatapp.ts';
export type { DataRequest, DataResponse, Denomination } from './data.ts';
export { TarishiConnectionError, TarishiError, TarishiReceiptError } from './errors.ts';
export type { components, operations } from './openapi.d.ts';
export type { Page } from './pages.ts';
export {
  expressReceiptHandler,
  fetchReceiptHandler,
  koaReceiptHandler,
  nodeReceiptHandler,
} from './receipts/handlers.ts';
export type { ReceiptHandlerOptions } from './receipts/response.ts';
export { type DeliveryReceipt, type InboundMessage, type Posted, verifyReceipt } from './receipts/verify.ts';
export type { SmsRequest, SmsResponse, TemplateValues } from './sms.ts';

/**
 * Calls the service on behalf of one client. It gets tokens, retries what is safe to retry and rejects with a
 * TarishiError. Make one and share it: its calls share a token.
 */
export class Tarishi extends Methods {
  /** Calls any operation of the OpenAPI document by its `operationId`, with the types of the document. */
  readonly call: Caller;

  constructor(options: TarishiOptions) {
    const call = createCaller(options);
    super(call);
    this.call = call;
  }
}
