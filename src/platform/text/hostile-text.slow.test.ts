/**
 * Parsers with loops of their own, or of a library, take linear time: 64 KB of hostile text, however it repeats. What is
 * read by patterns alone is judged by `npm run check -- patterns`.
 */
import { describe, expect, test } from '@jest/globals';
import { connectorSettings } from '../../../generated/connector-settings.ts';
import { callerAddress } from '../../access/caller-address.ts';
import { bundlesKind } from '../../connectors/bundles/bundles.ts';
import { bundlesInbound } from '../../connectors/bundles/callback.ts';
import { cleanId, cleanText } from '../../connectors/contract/network-text.ts';
import { httpSmsKind } from '../../connectors/http-sms/http-sms.ts';
import type { HttpSmsSettings } from '../../connectors/http-sms/settings.ts';
import { checkSettings } from '../../connectors/runtime/settings.ts';
import { smppSettings } from '../../connectors/smpp/fake-testing.ts';
import { readDeliveryReport } from '../../connectors/smpp/reports/delivery-report.ts';
import { reportedId } from '../../connectors/smpp/reports/report-id.ts';
import { shortMessage } from '../../connectors/smpp/testing.ts';
import { createFramer, decodePdu, encodePdu } from '../../connectors/smpp/wire/pdu.ts';
import { whatsAppInbound } from '../../connectors/whatsapp/webhook.ts';
import { whatsAppKind } from '../../connectors/whatsapp/whatsapp.ts';
import { createPhoneParser } from '../../products/phone/parse.ts';
import { resolveTemplate } from '../../products/templates/parameters.ts';
import { placeholdersOf, substitute } from '../../products/templates/substitute.ts';
import { segmentsOf, splitText } from './segments.ts';
import { unitsOf } from './units.ts';

/** One text of 64 KB may take so many times as long as eight of 8 KB: 1 is linear, 8 quadratic. */
const mostTimes = 4;
/** What is done so soon holds nobody up, and is too short to compare. */
const negligibleMs = 20;
const tries = 5;

// biome-ignore format: a dozen a line
const repeated = [
  'id:', 'id:x stat:', 'id:0 ', 'stat:DELIVRD ', 'err:', ' ', '\t', '\n', '\0', 'a', 'A', '0', '1', '9', '+', '-',
  '(', '.', ',', ':', ';', '=', '/', '//', '?', '#', '%', '%4', '%41', '&', '@', '[', ']', '{', '}', '{{', '}}',
  '{{a', '{{a}}', '{"a":', '"', '\\', '\\u', "'", '$&', '$1', '^', '€', 'é', '😀', '\ud83d', '\u200d', 'T', 'Z',
  'Mon, ', 'GMT ', 'Bearer ', 'Basic ', '::', '1.', 'http://', '0 -', 'a.',
];

/** What comes before and after the repetition, so that anchored patterns get going and fail at the end. */
const frames = [
  ['', ''],
  ['', '\u0001'],
  ['id:', ' stat'],
  ['http://', ' '],
  ['+254', 'x'],
  ['Mon, ', 'x'],
  ['Bearer ', ' '],
] as const;

function hostile(part: string, [before, after]: (typeof frames)[number], octets: number): string {
  return before + part.repeat(Math.ceil(octets / Buffer.byteLength(part))) + after;
}

/** Of this thread's processor, in milliseconds: what else the machine does counts for nothing. */
function timeOf(run: () => unknown, times = 1): number {
  const before = process.threadCpuUsage();
  for (let time = 0; time < times; time += 1)
    try {
      run();
    } catch {
      // Most of these texts are refused.
    }
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1_000;
}

function isLinear(parse: (text: string) => unknown, textOf: (octets: number) => string): boolean {
  const [small, large] = [textOf(8 * 1024), textOf(64 * 1024)];
  for (let attempt = 0; attempt < tries; attempt += 1) {
    const largeMs = timeOf(() => parse(large));
    if (largeMs < negligibleMs) return true;
    if (largeMs < mostTimes * timeOf(() => parse(small), 8)) return true;
  }
  return false;
}

function slowTexts(parse: (text: string) => unknown): string[] {
  return repeated.flatMap((part) =>
    frames
      .filter((frame) => !isLinear(parse, (octets) => hostile(part, frame, octets)))
      .map(([before, after]) => JSON.stringify([before, part, after])),
  );
}

test('a quadratic parser is noticed', () => {
  const comparesAll = (text: string) => {
    let same = 0;
    for (let one = 0; one < text.length; one += 1)
      for (let other = 0; other < one; other += 25) if (text[one] === text[other]) same += 1;
    return same;
  };
  expect(isLinear(comparesAll, (octets) => 'a'.repeat(octets))).toBe(false);
});

const bundles = checkSettings(bundlesKind, { baseUrl: 'https://provider.example' });
const whatsApp = checkSettings(whatsAppKind, {});
const sms = checkSettings(httpSmsKind, {
  baseUrl: 'https://provider.example',
  callbackUrl: 'https://tarishi.example/inbound/sms',
  statuses: { lost: 'Failed' },
}) as HttpSmsSettings;
const payload = (text: string) => [{ tag: 0x0424, value: Buffer.from(text).subarray(0, 65_000) }];
const phones = createPhoneParser('KE');
const template = { content: '{{a}}', paramDefinitions: [] };
const idRules = (['asIs', 'hexToDecimal', 'decimalToHex'] as const).map((reportId) =>
  smppSettings({ reportId, reportIdIgnoresLeadingZeros: true, reportIdIgnoresCase: true }),
);
describe('networks', () => {
  test.each<[string, (text: string) => unknown]>([
    ['the text of a deliver_sm', (text) => readDeliveryReport(shortMessage({ tlvs: payload(text) }))],
    [
      'the id of a report',
      (text) => {
        const value = Buffer.from(text, 'latin1').subarray(0, 65_000);
        const tlvs = [
          { tag: 0x001e, value },
          { tag: 0x0427, value: Buffer.from([5]) },
        ];
        const report = readDeliveryReport(shortMessage({ esmClass: 4, tlvs }));
        for (const rule of idRules) if (report !== undefined) reportedId(report.id, rule);
      },
    ],
    [
      'what is stored of a network’s text',
      (text) => {
        cleanText(text, 500);
        cleanId(text);
      },
    ],
    [
      'a call of an SMS provider',
      (text) => {
        for (const document of [
          { id: text, reference: text, status: text, code: text, message: text, occurredAt: text },
          { id: text, reference: text, status: 'lost', code: text, message: text, occurredAt: text },
          { from: text, to: text, text, id: text },
          [text],
        ])
          httpSmsKind.inbound?.read(Buffer.from(JSON.stringify(document)), sms, text);
        httpSmsKind.inbound?.read(Buffer.from(text), sms, `${text}=${text}`);
      },
    ],
    [
      'what proves a call of an SMS provider',
      (text) => {
        for (const proof of connectorSettings['http-sms'].properties.proof.enum) {
          const signed = { 'x-signature': text, 'x-twilio-signature': text };
          const webhook = {
            'webhook-id': text,
            'webhook-timestamp': text,
            'webhook-signature': `v1,${text}`,
          };
          httpSmsKind.inbound?.verify(
            { headers: { ...signed, ...webhook }, query: text, key: text, body: Buffer.from(text) },
            { ...sms, proof },
            { apiKey: 'x', callbackSecret: 'x' },
            0,
          );
        }
      },
    ],
  ])('%s', (_name, parse) => {
    expect(slowTexts(parse)).toEqual([]);
  });

  test.each<[string, (octets: number) => string]>([
    ['many optional parameters', (octets) => '\x02\x0c\0\0'.repeat(Math.floor((octets - 100) / 4))],
    ['a parameter that is too long', (octets) => `\x02\x0c\xff\xff${'x'.repeat(octets - 100)}`],
    ['invalid octets', (octets) => 'x'.repeat(octets - 100)],
  ])('a PDU with %s, octet by octet', (_name, tailOf) => {
    const head = encodePdu({ ...shortMessage(), command: 'deliver_sm' });
    const parse = (tail: string) => {
      const pdu = Buffer.concat([head, Buffer.from(tail, 'latin1')]);
      pdu.writeUInt32BE(pdu.length, 0);
      const push = createFramer((octets) => {
        const read = decodePdu(octets);
        if (read.command === 'deliver_sm') readDeliveryReport(read);
      });
      for (let at = 0; at < pdu.length; at += 1) push(pdu.subarray(at, at + 1));
    };
    expect(isLinear(parse, tailOf)).toBe(true);
  });

  test.each([
    ['many entries', (count: number) => `{"entry":[${'{"changes":[]},'.repeat(count / 15)}{}]}`],
    ['deep nesting', (count: number) => '{"entry":['.repeat(count / 10)],
    ['deep lists', (count: number) => `{"entry":${'['.repeat(count / 2)}${']'.repeat(count / 2)}}`],
  ])('a webhook with %s', (_name, textOf) => {
    const parse = (text: string) => {
      whatsAppInbound.read(Buffer.from(text), whatsApp);
      bundlesInbound.read(Buffer.from(text), bundles);
    };
    expect(isLinear(parse, textOf)).toBe(true);
  });
});

describe('clients', () => {
  test.each<[string, (text: string) => unknown]>([
    ['a phone number', phones],
    ['the name of a parameter', (text) => resolveTemplate(template, [{ name: text, value: 'x' }])],
    ['the value of a parameter', (text) => resolveTemplate(template, [{ name: 'a', value: text }])],
    ['the placeholders of a text', (text) => placeholdersOf(text)],
    ['the value of a placeholder', (text) => substitute('{{a}}', () => text)],
    ['the units of a text', (text) => unitsOf(text)],
    [
      'the parts of a text',
      (text) => {
        segmentsOf(text);
        splitText(text);
      },
    ],
    ['X-Forwarded-For', (text) => callerAddress('127.0.0.1', text, 10)],
  ])('%s', (_name, parse) => {
    expect(slowTexts(parse)).toEqual([]);
  });
});
