// Written by npm run generate: every operation of openapi.yaml, and its handler in handlers/.
import { addOptOuts } from '../handlers/addOptOuts.ts';
import { cancelRequest } from '../handlers/cancelRequest.ts';
import { confirmRequest } from '../handlers/confirmRequest.ts';
import { disburseMobileData } from '../handlers/disburseMobileData.ts';
import { getCampaign } from '../handlers/getCampaign.ts';
import { getInboundMedia } from '../handlers/getInboundMedia.ts';
import { getReceipt } from '../handlers/getReceipt.ts';
import { getRequest } from '../handlers/getRequest.ts';
import { getService } from '../handlers/getService.ts';
import { getTemplate } from '../handlers/getTemplate.ts';
import { issueToken } from '../handlers/issueToken.ts';
import { listBalances } from '../handlers/listBalances.ts';
import { listCampaigns } from '../handlers/listCampaigns.ts';
import { listInboundMessages } from '../handlers/listInboundMessages.ts';
import { listMessages } from '../handlers/listMessages.ts';
import { listOptOuts } from '../handlers/listOptOuts.ts';
import { listReceipts } from '../handlers/listReceipts.ts';
import { listRequestMessages } from '../handlers/listRequestMessages.ts';
import { listRequests } from '../handlers/listRequests.ts';
import { listSenders } from '../handlers/listSenders.ts';
import { listServices } from '../handlers/listServices.ts';
import { listTemplates } from '../handlers/listTemplates.ts';
import { previewChatAppTemplate } from '../handlers/previewChatAppTemplate.ts';
import { previewMobileData } from '../handlers/previewMobileData.ts';
import { previewSms } from '../handlers/previewSms.ts';
import { removeOptOuts } from '../handlers/removeOptOuts.ts';
import { replayReceipts } from '../handlers/replayReceipts.ts';
import { resendReceipt } from '../handlers/resendReceipt.ts';
import { sendChatAppTemplate } from '../handlers/sendChatAppTemplate.ts';
import { sendSms } from '../handlers/sendSms.ts';
import { testReceipt } from '../handlers/testReceipt.ts';

import type { Service } from '../handlers/service.ts';
import type { ClientDocument, ContextHandlers } from '../src/http/contract/operation.ts';

export const handlers: ContextHandlers<Service, ClientDocument> = {
  sendSms,
  previewSms,
  disburseMobileData,
  previewMobileData,
  sendChatAppTemplate,
  previewChatAppTemplate,
  listMessages,
  listRequests,
  getRequest,
  listRequestMessages,
  cancelRequest,
  confirmRequest,
  listInboundMessages,
  getInboundMedia,
  listReceipts,
  getReceipt,
  resendReceipt,
  replayReceipts,
  testReceipt,
  listOptOuts,
  addOptOuts,
  removeOptOuts,
  listBalances,
  listServices,
  getService,
  listSenders,
  listTemplates,
  getTemplate,
  listCampaigns,
  getCampaign,
  issueToken,
};
