/** What networks write is looked up in tables of ours: words that every object has by itself are words like any other there. */
import { describe, expect } from '@jest/globals';
import { bundlesKind } from '../../connectors/bundles/bundles.ts';
import { bundlesInbound } from '../../connectors/bundles/callback.ts';
import { readDisbursement } from '../../connectors/bundles/documents.ts';
import { httpSmsKind } from '../../connectors/http-sms/http-sms.ts';
import { verdictsOf } from '../../connectors/http-sms/response.ts';
import type { HttpSmsSettings } from '../../connectors/http-sms/settings.ts';
import { checkSettings } from '../../connectors/runtime/settings.ts';
import { readDeliveryReport } from '../../connectors/smpp/reports/delivery-report.ts';
import { endOf } from '../../connectors/smpp/reports/report-states.ts';
import { shortMessage } from '../../connectors/smpp/testing.ts';
import { accountTemplateOf } from '../../connectors/whatsapp/template-definition.ts';
import { whatsAppInbound } from '../../connectors/whatsapp/webhook.ts';
import { whatsAppKind } from '../../connectors/whatsapp/whatsapp.ts';
import { testEvery } from '../for-every-testing.ts';

const bundles = checkSettings(bundlesKind, { baseUrl: 'https://provider.example' });
const whatsApp = checkSettings(whatsAppKind, {});
const sms = checkSettings(httpSmsKind, {
  baseUrl: 'https://provider.example',
  statuses: { lost: 'Failed' },
}) as HttpSmsSettings;
const json = (document: unknown) => Buffer.from(JSON.stringify(document));
const callback = { transactionId: '1', externalReference: 'tarishi-1', status: 'FAILED' };
const words = Object.getOwnPropertyNames(Object.prototype);

describe.each<[string, (word: string) => unknown]>([
  ['the status of a bundle', (word) => bundlesInbound.read(json({ ...callback, status: word }), bundles)],
  [
    'the reason of a bundle',
    (word) => bundlesInbound.read(json({ ...callback, reason: { code: word, message: word } }), bundles),
  ],
  [
    'what a provider answers',
    (word) => readDisbursement({ ...callback, reason: { code: word } }, bundles.names.response, bundles),
  ],
  [
    'the status of an SMS provider',
    (word) => {
      const said = httpSmsKind.inbound?.read(json({ id: '1', status: word }), sms, `${word}=1`);
      return [said?.reports, said?.messages?.map(({ body }) => body)];
    },
  ],
  [
    'the code in a report of an SMS provider',
    (word) => httpSmsKind.inbound?.read(json({ id: '1', status: 'lost', code: word }), sms),
  ],
  [
    'the code that an SMS provider answers',
    (word) => verdictsOf({ kind: 'answered', status: 200, body: { code: word }, text: '' }, sms),
  ],
  [
    'the error in a report of an SMSC',
    (word) => {
      const report = readDeliveryReport(
        shortMessage({ esmClass: 4, text: Buffer.from(`id:1 stat:UNDELIV err:${word}`) }),
      );
      return report && endOf(report, {});
    },
  ],
  [
    'the state in a report of an SMSC',
    (word) => readDeliveryReport(shortMessage({ esmClass: 4, text: Buffer.from(`id:1 stat:${word}`) })),
  ],
  [
    'a status of WhatsApp',
    (word) => {
      const status = { id: '1', status: word, timestamp: '1', errors: [{ code: word, title: word }] };
      const statuses = [status, { ...status, status: 'failed' }];
      const { reports, messages } = whatsAppInbound.read(
        json({ entry: [{ changes: [{ field: 'messages', value: { statuses } }] }] }),
        whatsApp,
      );
      // What cannot be read is kept as it is.
      return { reports, unread: messages?.length };
    },
  ],
  [
    'a template of an account',
    (word) => {
      const components = [{ type: 'BODY', text: 'Hi' }, { type: word }];
      const template = { name: 'a', language: 'en', category: 'UTILITY', status: word, components };
      return accountTemplateOf(template).map(({ approvalStatus, content }) => [
        approvalStatus,
        'problem' in content,
      ]);
    },
  ],
  [
    'news of a template',
    (word) => {
      const value = { event: word, message_template_name: 'a', message_template_language: word };
      return whatsAppInbound.read(
        json({ entry: [{ changes: [{ field: 'message_template_status_update', value }] }] }),
        whatsApp,
      );
    },
  ],
])('%s', (_what, read) => {
  const usual = JSON.stringify(read('nonsense') ?? null);
  testEvery(words)('%s', (word) => {
    expect(JSON.stringify(read(word) ?? null).replaceAll(word, 'nonsense')).toBe(usual);
  });
});
