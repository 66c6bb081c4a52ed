/** The operations of the public API that have a rate limit, and what each of them counts. */

/** Count recipients; by what a rejection calls them. */
export const recipientNouns = {
  sendSms: 'messages',
  disburseMobileData: 'disbursements',
  sendChatAppTemplate: 'messages',
  previewSms: 'previewed messages',
  previewMobileData: 'previewed disbursements',
  previewChatAppTemplate: 'previewed messages',
} as const;

/** Count calls. */
export const callOperations = [
  'listMessages',
  'getRequest',
  'listRequestMessages',
  'listReceipts',
  'resendReceipt',
  'replayReceipts',
  'testReceipt',
  'listBalances',
  'listServices',
  'listTemplates',
  'listCampaigns',
] as const;

export const limitedOperations: readonly string[] = [...Object.keys(recipientNouns), ...callOperations];
