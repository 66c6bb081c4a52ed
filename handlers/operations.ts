/** Every operation of the contract and its handler; the compiler demands that none is missing. */
import type { Handlers } from '../src/http/contract/operation.ts';
import { disburseMobileData } from './disburseMobileData.ts';
import { type Grant, issueToken } from './issueToken.ts';
import { sendChatAppTemplate } from './sendChatAppTemplate.ts';
import { sendSms } from './sendSms.ts';

export interface HandlerDependencies {
  acceptSms: Parameters<typeof sendSms>[0];
  acceptData: Parameters<typeof disburseMobileData>[0];
  acceptChatApp: Parameters<typeof sendChatAppTemplate>[0];
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
