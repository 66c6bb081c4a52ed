/** The operations of the API, as the OpenAPI document says: written by npm run generate. */

/**
 * With their paths, and whether a retry is safe. `keyed`: yes, with the same Idempotency-Key; `harmless`: yes, a second
 * call changes nothing; `unsafe`: no, it would take effect again; `file`: yes, and the response is a file.
 */
export const routes = {
  sendSms: { method: 'POST', path: '/message/{serviceId}', retry: 'keyed' },
  previewSms: { method: 'POST', path: '/message/{serviceId}/preview', retry: 'harmless' },
  disburseMobileData: { method: 'POST', path: '/data/{campaignId}', retry: 'keyed' },
  previewMobileData: { method: 'POST', path: '/data/{campaignId}/preview', retry: 'harmless' },
  sendChatAppTemplate: { method: 'POST', path: '/message/{serviceId}/chatapp', retry: 'keyed' },
  previewChatAppTemplate: { method: 'POST', path: '/message/{serviceId}/chatapp/preview', retry: 'harmless' },
  listMessages: { method: 'GET', path: '/messages', retry: 'harmless' },
  listRequests: { method: 'GET', path: '/requests', retry: 'harmless' },
  getRequest: { method: 'GET', path: '/requests/{requestId}', retry: 'harmless' },
  listRequestMessages: { method: 'GET', path: '/requests/{requestId}/messages', retry: 'harmless' },
  cancelRequest: { method: 'POST', path: '/requests/{requestId}/cancel', retry: 'harmless' },
  confirmRequest: { method: 'POST', path: '/requests/{requestId}/confirm', retry: 'harmless' },
  listInboundMessages: { method: 'GET', path: '/inbound-messages', retry: 'harmless' },
  getInboundMedia: { method: 'GET', path: '/inbound-messages/{messageId}/media', retry: 'file' },
  listReceipts: { method: 'GET', path: '/receipts', retry: 'harmless' },
  getReceipt: { method: 'GET', path: '/receipts/{receiptId}', retry: 'harmless' },
  resendReceipt: { method: 'POST', path: '/receipts/{receiptId}/resend', retry: 'unsafe' },
  replayReceipts: { method: 'POST', path: '/receipts/replay', retry: 'unsafe' },
  testReceipt: { method: 'POST', path: '/receipts/test', retry: 'unsafe' },
  listOptOuts: { method: 'GET', path: '/opt-outs', retry: 'harmless' },
  addOptOuts: { method: 'POST', path: '/opt-outs', retry: 'harmless' },
  removeOptOuts: { method: 'POST', path: '/opt-outs/remove', retry: 'harmless' },
  listBalances: { method: 'GET', path: '/balances', retry: 'harmless' },
  listServices: { method: 'GET', path: '/services', retry: 'harmless' },
  getService: { method: 'GET', path: '/services/{serviceId}', retry: 'harmless' },
  listSenders: { method: 'GET', path: '/senders', retry: 'harmless' },
  listTemplates: { method: 'GET', path: '/templates', retry: 'harmless' },
  getTemplate: { method: 'GET', path: '/templates/{templateId}', retry: 'harmless' },
  listCampaigns: { method: 'GET', path: '/campaigns', retry: 'harmless' },
  getCampaign: { method: 'GET', path: '/campaigns/{campaignId}', retry: 'harmless' },
} as const;

/** What is a time in a query or a body. */
export type InstantName = 'from' | 'to';
