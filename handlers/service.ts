/** What the handlers of the public API work with, and the form of each. */
import type { Accept } from '../src/accept/accept.ts';
import type { ShownChatAppMessage } from '../src/accept/preview/chatapp.ts';
import type { ShownBundle } from '../src/accept/preview/data.ts';
import type { Preview, Shown } from '../src/accept/preview/preview.ts';
import type { ShownSms } from '../src/accept/preview/sms.ts';
import type { TokenRequest } from '../src/clients/grant.ts';
import type { IssuedToken } from '../src/clients/tokens.ts';
import type { ClientDocument, ContextHandler, OperationId } from '../src/http/contract/operation.ts';
import type { SendChatAppTemplate } from '../src/products/chatapp/command.ts';
import type { AcceptedChatApp } from '../src/products/chatapp/plan.ts';
import type { DisburseData } from '../src/products/data/command.ts';
import type { AcceptedData } from '../src/products/data/plan.ts';
import type { SendSms } from '../src/products/sms/command.ts';
import type { AcceptedSms } from '../src/products/sms/plan.ts';
import type { CheckSearch } from '../src/read/messages/message-search.ts';
import type { Reading } from '../src/read/reading.ts';
import type { ReceiptLog } from '../src/read/receipt.ts';
import type { PostSample } from '../src/receipts/sample.ts';

/** The parts of the running service that handlers call. */
export interface Service extends Reading {
  acceptSms: Accept<SendSms, AcceptedSms>;
  acceptData: Accept<DisburseData, AcceptedData>;
  acceptChatApp: Accept<SendChatAppTemplate, AcceptedChatApp>;
  previewSms: Preview<SendSms, Shown<ShownSms, AcceptedSms>>;
  previewData: Preview<DisburseData, Shown<ShownBundle, AcceptedData>>;
  previewChatApp: Preview<SendChatAppTemplate, Shown<ShownChatAppMessage, AcceptedChatApp>>;
  checkMessageSearch: CheckSearch;
  receipts: ReceiptLog;
  postSample: PostSample;
  grant: (request: TokenRequest) => Promise<IssuedToken>;
}

/** Handles one call with the service. */
export type ServiceHandler<O extends OperationId> = ContextHandler<Service, O, ClientDocument>;
