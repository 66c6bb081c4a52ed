/** Every operation of the contract and its handler; the compiler demands that none is missing. */
import type { AcceptChatApp } from '../src/chatapp/accept.ts';
import type { AcceptData } from '../src/data/accept.ts';
import type { Handlers } from '../src/http/operation.ts';
import type { AcceptSms } from '../src/sms/accept.ts';
import { disburseMobileData } from './disburseMobileData.ts';
import { type Grant, issueToken } from './issueToken.ts';
import { sendChatAppTemplate } from './sendChatAppTemplate.ts';
import { sendSms } from './sendSms.ts';

export interface HandlerDependencies {
  acceptSms: AcceptSms;
  acceptData: AcceptData;
  acceptChatApp: AcceptChatApp;
  grant: Grant;
}

export function createHandlers({
  acceptSms,
  acceptData,
  acceptChatApp,
  grant,
}: HandlerDependencies): Handlers {
  return {
    sendSms: sendSms(acceptSms),
    disburseMobileData: disburseMobileData(acceptData),
    sendChatAppTemplate: sendChatAppTemplate(acceptChatApp),
    issueToken: issueToken(grant),
  };
}
