/** Africa's Talking: bulk SMS; its callbacks are set in its dashboard, and have no reference of ours. */
import type { Preset } from '../../contract/kind.ts';

export const africastalking: Preset = {
  title: 'Africa’s Talking',
  open: ['username'],
  settings: {
    baseUrl: 'https://api.africastalking.com',
    path: '/version1/messaging',
    testPath: '/version1/user?username={username}',
    encoding: 'form',
    authentication: 'header',
    apiKeyName: 'apiKey',
    constants: { username: '{username}', bulkSMSMode: '1', enqueue: '1' },
    names: {
      request: { number: 'to', sender: 'from', text: 'message', reference: '', callbackUrl: '' },
      response: {
        id: 'SMSMessageData.Recipients.0.messageId',
        // Without a recipient, such as for an unknown sender, only the message says why.
        code: 'SMSMessageData.Recipients.0.statusCode|SMSMessageData.Message',
        reason: 'SMSMessageData.Recipients.0.status|SMSMessageData.Message',
        segments: 'SMSMessageData.Recipients.0.messageParts',
      },
      report: { reference: '', code: 'failureReason', reason: 'failureReason' },
    },
    codes: {
      '100': 'accepted',
      '101': 'accepted',
      '102': 'accepted',
      '401': 'Failed',
      '402': 'Failed',
      '403': 'InvalidMsisdn',
      '404': 'InvalidMsisdn',
      '405': 'pause',
      '406': 'SubscriberOptedOut',
      '407': 'DeliveryImpossible',
      '409': 'SubscriberOptedOut',
      '500': 'again',
      '501': 'again',
      '502': 'again',
      '*': 'Failed',
    },
    statuses: {
      Sent: 'open',
      Submitted: 'open',
      Buffered: 'open',
      Success: 'Delivered',
      Rejected: 'Failed',
      Failed: 'DeliveryImpossible',
      AbsentSubscriber: 'AbsentSubscriber',
      Expired: 'AbsentSubscriber',
    },
    errorStates: {
      UserInBlackList: 'SubscriberOptedOut',
      DoNotDisturbRejection: 'SubscriberOptedOut',
      UserDoesNotExist: 'InvalidMsisdn',
      NotNetworkSubscriber: 'InvalidMsisdn',
      UserIsInactive: 'AbsentSubscriber',
    },
  },
};
