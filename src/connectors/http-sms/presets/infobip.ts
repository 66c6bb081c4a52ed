/** Infobip's SMS API, version 3; each account has an address of its own. */
import type { Preset } from '../../contract/kind.ts';

export const infobip: Preset = {
  title: 'Infobip',
  open: ['baseUrl'],
  settings: {
    path: '/sms/3/messages',
    testPath: '/account/1/balance',
    authentication: 'header',
    apiKeyName: 'Authorization',
    apiKeyPrefix: 'App ',
    number: 'digits',
    constants: {
      'messages.0.options.regional.indiaDlt.principalEntityId': '{registration.entityId}',
      'messages.0.options.regional.indiaDlt.contentTemplateId': '{registration.templateId}',
    },
    flashConstants: { 'messages.0.options.flash': true },
    names: {
      request: {
        number: 'messages.0.destinations.0.to',
        sender: 'messages.0.sender',
        text: 'messages.0.content.text',
        reference: 'messages.0.destinations.0.messageId',
        callbackUrl: 'messages.0.webhooks.delivery.url',
      },
      response: {
        id: 'messages.0.messageId',
        code: 'messages.0.status.name|requestError.serviceException.messageId|errorCode',
        reason: 'messages.0.status.description|requestError.serviceException.text|description',
        segments: 'messages.0.details.messageCount',
      },
      report: {
        list: 'results',
        id: 'messageId',
        reference: 'messageId',
        status: 'status.groupName',
        code: 'error.name',
        reason: 'error.description|status.description',
        occurredAt: 'doneAt',
      },
      message: { list: 'results', id: 'messageId' },
    },
    codes: {
      PENDING_ACCEPTED: 'accepted',
      PENDING_ENROUTE: 'accepted',
      PENDING_WAITING_DELIVERY: 'accepted',
      MESSAGE_ACCEPTED: 'accepted',
      REJECTED_NOT_ENOUGH_CREDITS: 'pause',
      REJECTED_DESTINATION: 'SubscriberOptedOut',
      REJECTED_INVALID_DESTINATION: 'InvalidMsisdn',
      REJECTED_PREFIX_MISSING: 'InvalidMsisdn',
      REJECTED_NO_PREFIX: 'InvalidMsisdn',
      UNAUTHORIZED: 'pause',
      TOO_MANY_REQUESTS: 'throttled',
      '*': 'Failed',
    },
    statuses: {
      OK: 'open',
      PENDING: 'open',
      ACCEPTED: 'open',
      DELIVERED: 'Delivered',
      UNDELIVERABLE: 'DeliveryImpossible',
      EXPIRED: 'AbsentSubscriber',
      REJECTED: 'Failed',
    },
    errorStates: {
      EC_ABSENT_SUBSCRIBER: 'AbsentSubscriber',
      EC_ABSENT_SUBSCRIBER_SM: 'AbsentSubscriber',
      EC_UNKNOWN_SUBSCRIBER: 'InvalidMsisdn',
      EC_UNIDENTIFIED_SUBSCRIBER: 'InvalidMsisdn',
    },
  },
};
