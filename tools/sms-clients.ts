/** The official client libraries of SMS providers, for tests outside this folder, which do not find their packages. */
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);

export interface SentSms {
  /** Instead of the provider's own address. */
  baseUrl: string;
  username: string;
  apiKey: string;
  to: string;
  from: string;
  text: string;
  reference: string;
  callbackUrl: string;
  /** India's. */
  registrations: { entityId: string; templateId: string };
}

/** By preset. Each resolves to what its library makes of the response. */
export const smsClients: Readonly<Record<string, (sms: SentSms) => Promise<unknown>>> = {
  africastalking: ({ baseUrl, username, apiKey, to, from, text }) => {
    const common = require('africastalking/lib/common');
    const { SMS } = require('africastalking')({ username, apiKey });
    common.SMS_URL = `${baseUrl}/version1/messaging`;
    return SMS.send({ to, from, message: text, enqueue: true });
  },
  twilio: ({ baseUrl, username, apiKey, to, from, text, callbackUrl }) => {
    const twilio = require('twilio');
    class ElsewhereClient extends twilio.RequestClient {
      request(options: { uri: string }) {
        return super.request({ ...options, uri: options.uri.replace('https://api.twilio.com', baseUrl) });
      }
    }
    const client = twilio(username, apiKey, { httpClient: new ElsewhereClient() });
    return client.messages.create({ to, from, body: text, statusCallback: callbackUrl });
  },
  infobip: ({ baseUrl, apiKey, to, from, text, reference, callbackUrl, registrations }) => {
    const { Infobip, AuthType } = require('@infobip-api/sdk');
    const client = new Infobip({ baseUrl, apiKey, authType: AuthType.ApiKey });
    const destinations = [{ to: to.replace('+', ''), messageId: reference }];
    const { entityId: principalEntityId, templateId: contentTemplateId } = registrations;
    const regional = { indiaDlt: { principalEntityId, contentTemplateId } };
    return client.channels.sms.send({
      messages: [{ destinations, from, text, notifyUrl: callbackUrl, regional }],
    });
  },
  vonage: ({ baseUrl, username, apiKey, to, from, text, reference, callbackUrl, registrations }) => {
    const { SMS } = require('@vonage/sms');
    const { Auth } = require('@vonage/auth');
    const client = new SMS(new Auth({ apiKey: username, apiSecret: apiKey }), { restHost: baseUrl });
    const callback = { callback: callbackUrl, clientRef: reference, type: 'unicode' };
    const { entityId, templateId: contentId } = registrations;
    return client.send({ to: to.replace('+', ''), from, text, entityId, contentId, ...callback });
  },
};

/** Whether Twilio's library takes a signature of a form for Twilio's. */
export const isTwilios = (
  token: string,
  signature: string,
  url: string,
  form: Readonly<Record<string, string>>,
): boolean => require('twilio').validateRequest(token, signature, url, form);

/** The signature that Twilio's library expects. */
export const twilioSignature = (token: string, url: string, form: Readonly<Record<string, string>>): string =>
  require('twilio').getExpectedTwilioSignature(token, url, form);
