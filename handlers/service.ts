/** What the handlers of the public API work with, and the form of each. */
import type { Accept } from '../src/accept/accept.ts';
import type { ShownChatAppMessage } from '../src/accept/preview/chatapp.ts';
import type { ShownBundle } from '../src/accept/preview/data.ts';
import type { Preview, Shown } from '../src/accept/preview/preview.ts';
import type { ShownSms } from '../src/accept/preview/sms.ts';
import type { Caller } from '../src/access/client.ts';
import type { TokenRequest } from '../src/access/grant.ts';
import type { IssuedToken } from '../src/access/tokens.ts';
import type {
  AnswerOf,
  BodyOf,
  ClientDocument,
  ContextHandler,
  OperationId,
} from '../src/http/contract/operation.ts';
import type { Cancelled } from '../src/model/cancelled.ts';
import type { SendChatApp } from '../src/products/chatapp/command.ts';
import type { AcceptedChatApp } from '../src/products/chatapp/plan.ts';
import type { DisburseData } from '../src/products/data/command.ts';
import type { AcceptedData } from '../src/products/data/plan.ts';
import type { SendSms } from '../src/products/sms/command.ts';
import type { AcceptedSms } from '../src/products/sms/plan.ts';
import type { GetInboundFile } from '../src/read/inbound-media.ts';
import type { CheckSearch } from '../src/read/messages/message-search.ts';
import type { ListOptOuts } from '../src/read/opt-outs.ts';
import type { Reading } from '../src/read/reading.ts';
import type { ReceiptLog } from '../src/read/receipt.ts';
import type { PostSample } from '../src/receipts/sample.ts';

/** What all changes of opt-outs name. */
export type OptOutsBody = Pick<BodyOf<'removeOptOuts'>, 'phones' | 'product' | 'serviceId'>;

/** Opt-outs, by numbers as clients write them. */
export interface OptOuts {
  list: ListOptOuts;
  /** Rejects with 400 for an invalid number. */
  hashOf: (written: string) => string;
  add: (caller: Caller, body: BodyOf<'addOptOuts'>) => Promise<AnswerOf<'addOptOuts', 200>>;
  remove: (caller: Caller, body: BodyOf<'removeOptOuts'>) => Promise<AnswerOf<'removeOptOuts', 200>>;
}

/** The parts of the running service that handlers call. */
export interface Service extends Reading {
  acceptSms: Accept<SendSms, AcceptedSms>;
  acceptData: Accept<DisburseData, AcceptedData>;
  acceptChatApp: Accept<SendChatApp, AcceptedChatApp>;
  previewSms: Preview<SendSms, Shown<ShownSms, AcceptedSms>>;
  previewData: Preview<DisburseData, Shown<ShownBundle, AcceptedData>>;
  previewChatApp: Preview<SendChatApp, Shown<ShownChatAppMessage, AcceptedChatApp>>;
  /** Cancels what is not submitted yet; undefined: the team has no such request. */
  cancel: (requestId: string, team: string) => Promise<Cancelled | undefined>;
  /** Counts its codes as confirmed, and returns how many there are; undefined: the team has no such request. */
  confirm: (requestId: string, team: string) => Promise<number | undefined>;
  checkMessageSearch: CheckSearch;
  getInboundFile: GetInboundFile;
  receipts: ReceiptLog;
  postSample: PostSample;
  optOuts: OptOuts;
  grant: (request: TokenRequest) => Promise<IssuedToken>;
}

/** Handles one call with the service. */
export type ServiceHandler<O extends OperationId> = ContextHandler<Service, O, ClientDocument>;
