/** Another Tarishi: its path names the service, the client is the user name and its secret the key. */
import type { Preset } from '../../contract/kind.ts';

export const tarishi: Preset = {
  title: 'Tarishi',
  open: ['baseUrl', 'path', 'username'],
  settings: {
    authentication: 'clientCredentials',
    idempotencyHeader: 'Idempotency-Key',
    constants: { type: 'SendToMany' },
    flashConstants: { messageClass: 0 },
    names: {
      request: {
        number: 'addresses.0',
        sender: '',
        text: 'message',
        reference: 'receiptRequest.correlator',
        callbackUrl: 'receiptRequest.callbackUrl',
      },
      response: { id: 'result.requestId', code: '', reason: 'desc' },
      report: {
        id: 'requestId',
        reference: 'correlator',
        status: 'deliveryStatus',
        code: 'reasonCode',
        reason: 'reason',
        occurredAt: 'timestamp',
      },
      message: { id: 'messageId' },
    },
    statuses: {
      Delivered: 'Delivered',
      DeliveryUncertain: 'DeliveryUncertain',
      DeliveryImpossible: 'DeliveryImpossible',
      SenderBlacklisted: 'SenderBlacklisted',
      SubscriberOptedOut: 'SubscriberOptedOut',
      AbsentSubscriber: 'AbsentSubscriber',
      InvalidMsisdn: 'InvalidMsisdn',
      Failed: 'Failed',
      Expired: 'Failed',
      Cancelled: 'Failed',
    },
    proof: 'standardWebhooks',
  },
};
