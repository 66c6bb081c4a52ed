/** Every operation of the contract and its handler; the compiler demands that none is missing. */
import type { Handlers } from '../src/http/contract/operation.ts';
import { disburseMobileData } from './disburseMobileData.ts';
import { getRequest } from './getRequest.ts';
import { type Grant, issueToken } from './issueToken.ts';
import { listBalances } from './listBalances.ts';
import { listCampaigns } from './listCampaigns.ts';
import { listMessages } from './listMessages.ts';
import { listReceipts } from './listReceipts.ts';
import { listRequestMessages } from './listRequestMessages.ts';
import { listServices } from './listServices.ts';
import { listTemplates } from './listTemplates.ts';
import { previewChatAppTemplate } from './previewChatAppTemplate.ts';
import { previewMobileData } from './previewMobileData.ts';
import { previewSms } from './previewSms.ts';
import { replayReceipts } from './replayReceipts.ts';
import { resendReceipt } from './resendReceipt.ts';
import { sendChatAppTemplate } from './sendChatAppTemplate.ts';
import { sendSms } from './sendSms.ts';
import { testReceipt } from './testReceipt.ts';

export interface HandlerDependencies {
  acceptSms: Parameters<typeof sendSms>[0];
  acceptData: Parameters<typeof disburseMobileData>[0];
  acceptChatApp: Parameters<typeof sendChatAppTemplate>[0];
  previewSms: Parameters<typeof previewSms>[0];
  previewData: Parameters<typeof previewMobileData>[0];
  previewChatApp: Parameters<typeof previewChatAppTemplate>[0];
  readMessages: Parameters<typeof listMessages>[0];
  checkMessageSearch: Parameters<typeof listMessages>[1];
  getRequest: Parameters<typeof getRequest>[0];
  readRequestMessages: Parameters<typeof listRequestMessages>[0];
  readReceipts: Parameters<typeof listReceipts>[0];
  resendReceipt: Parameters<typeof resendReceipt>[0];
  replayReceipts: Parameters<typeof replayReceipts>[0];
  postSample: Parameters<typeof testReceipt>[0];
  readBalances: Parameters<typeof listBalances>[0];
  readServices: Parameters<typeof listServices>[0];
  readTemplates: Parameters<typeof listTemplates>[0];
  readCampaigns: Parameters<typeof listCampaigns>[0];
  grant: Grant;
}

export function createHandlers(dependencies: HandlerDependencies): Handlers {
  return {
    sendSms: sendSms(dependencies.acceptSms),
    disburseMobileData: disburseMobileData(dependencies.acceptData),
    sendChatAppTemplate: sendChatAppTemplate(dependencies.acceptChatApp),
    previewSms: previewSms(dependencies.previewSms),
    previewMobileData: previewMobileData(dependencies.previewData),
    previewChatAppTemplate: previewChatAppTemplate(dependencies.previewChatApp),
    listMessages: listMessages(dependencies.readMessages, dependencies.checkMessageSearch),
    getRequest: getRequest(dependencies.getRequest),
    listRequestMessages: listRequestMessages(dependencies.readRequestMessages),
    listReceipts: listReceipts(dependencies.readReceipts),
    resendReceipt: resendReceipt(dependencies.resendReceipt),
    replayReceipts: replayReceipts(dependencies.replayReceipts),
    testReceipt: testReceipt(dependencies.postSample),
    listBalances: listBalances(dependencies.readBalances),
    listServices: listServices(dependencies.readServices),
    listTemplates: listTemplates(dependencies.readTemplates),
    listCampaigns: listCampaigns(dependencies.readCampaigns),
    issueToken: issueToken(dependencies.grant),
  };
}
