/** Twilio's Messages resource; the account SID is the user name, the auth token the key, which also signs callbacks. */
import type { Preset } from '../../contract/kind.ts';

export const twilio: Preset = {
  title: 'Twilio',
  open: ['username', 'callbackUrl'],
  settings: {
    baseUrl: 'https://api.twilio.com',
    path: '/2010-04-01/Accounts/{username}/Messages.json',
    testPath: '/2010-04-01/Accounts/{username}.json',
    encoding: 'form',
    authentication: 'basic',
    names: {
      request: { number: 'To', sender: 'From', text: 'Body', reference: '', callbackUrl: 'StatusCallback' },
      response: { id: 'sid', code: 'code', reason: 'message', segments: 'num_segments' },
      report: {
        id: 'MessageSid',
        reference: '?reference',
        status: 'MessageStatus',
        code: 'ErrorCode',
        reason: 'ErrorMessage',
      },
      message: { id: 'MessageSid', from: 'From', to: 'To', text: 'Body' },
    },
    callbackQuery: 'reference={reference}',
    codes: {
      '14107': 'throttled',
      '20003': 'pause',
      '20005': 'pause',
      '20429': 'throttled',
      '21211': 'InvalidMsisdn',
      '21408': 'Failed',
      '21610': 'SubscriberOptedOut',
      '21611': 'throttled',
      '21612': 'DeliveryImpossible',
      '21614': 'InvalidMsisdn',
    },
    statuses: {
      accepted: 'open',
      scheduled: 'open',
      queued: 'open',
      sending: 'open',
      sent: 'open',
      delivered: 'Delivered',
      undelivered: 'DeliveryImpossible',
      failed: 'Failed',
      canceled: 'Failed',
    },
    errorStates: {
      '21610': 'SubscriberOptedOut',
      '30003': 'AbsentSubscriber',
      '30005': 'InvalidMsisdn',
      '30006': 'InvalidMsisdn',
      '30007': 'Failed',
    },
    proof: 'twilio',
  },
};
