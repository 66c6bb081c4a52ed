/** Every operation of the contract and its handler; the compiler demands that none is missing. */
import type { Handlers } from '../src/http/operation.ts';
import type { AcceptSms } from '../src/sms/accept.ts';
import { type Grant, issueToken } from './issueToken.ts';
import { sendSms } from './sendSms.ts';

export interface HandlerDependencies {
  acceptSms: AcceptSms;
  grant: Grant;
}

export function createHandlers({ acceptSms, grant }: HandlerDependencies): Handlers {
  return {
    sendSms: sendSms(acceptSms),
    issueToken: issueToken(grant),
  };
}
