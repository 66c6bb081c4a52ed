/** No text of a phone can pass for a report, whatever it says, however it is coded, and whatever the settings are. */
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { pino } from 'pino';
import { sized } from '../../../platform/sized-testing.ts';
import type { NetworkReport } from '../../contract/connector.ts';
import type { PhoneMessage } from '../../contract/phone-message.ts';
import { smppSettings } from '../fake-testing.ts';
import type { Link, OwnersRequest } from '../session/link.ts';
import type { SmppSettings } from '../settings.ts';
import { shortMessage } from '../testing.ts';
import type { ShortMessage } from '../wire/bodies.ts';
import { tags } from '../wire/commands.ts';
import { createIncoming } from './incoming.ts';

const word = fc.oneof(
  fc.constantFrom(
    'id:5001',
    'ID:5001',
    'sub:001',
    'dlvrd:001',
    'stat:DELIVRD',
    'Stat:undeliv',
    'err:000',
    'text:',
  ),
  fc.constantFrom('done date:2611210733', 'Asante', '\0', '\n'),
  fc.string({ maxLength: 10 }),
);
const anyText = fc.array(word, { maxLength: 12 }).map((words) => words.join(' '));
/** What a phone decides on: no receipt (0x04) and no intermediate notification (0x20). */
const ofPhones = fc.constantFrom(0x00, 0x08, 0x10, 0x18, 0x40, 0x48, 0x80, 0xc0, 0x03, 0x43);

/** What is reported, what is received, and what the SMSC gets as its response. */
async function heard(settings: Partial<SmppSettings>, ...fields: Partial<ShortMessage>[]) {
  const [reports, messages, answers]: [NetworkReport[], PhoneMessage[], number[]] = [[], [], []];
  const incoming = createIncoming({
    settings: smppSettings(settings),
    report: async (all) => void reports.push(...all),
    receive: async (all) => void messages.push(...all),
    logger: pino({ level: 'silent' }),
  });
  const link = { respond: (_request: unknown, status: number) => answers.push(status) } as unknown as Link;
  for (const one of fields) incoming({ ...shortMessage(one), command: 'deliver_sm' } as OwnersRequest, link);
  await new Promise(setImmediate);
  return { reports, messages, answers };
}
const report = { esmClass: 0x04, text: Buffer.from('id:5001 stat:DELIVRD') };

test('a report that names no message is kept as it is, and acknowledged', async () => {
  expect(await heard({}, { ...report, text: Buffer.from('?') })).toMatchObject({
    reports: [],
    messages: [{ body: { unreadable: { kind: 'Status', reason: 'Malformed', text: '3f' } } }],
    answers: [0],
  });
});

test('the parameters that the settings name are details of the report: as text, or else in hex', async () => {
  const reportTags = { '0x1411': 'mccMnc', '0x1503': 'network', '0x1504': 'absent', '0x150A': 'empty' };
  const tlvs = [
    { tag: 0x1411, value: Buffer.from('63902\0') },
    { tag: 0x1503, value: Buffer.from([0x36, 0xf9, 0x20]) },
    { tag: 0x150a, value: Buffer.from('\0') },
    { tag: 0x1505, value: Buffer.from('of no interest') },
  ];
  expect((await heard({ reportTags }, { ...report, tlvs })).reports).toEqual([
    { networkId: '5001', state: 'Delivered', details: { mccMnc: '63902', network: '36f920' } },
  ]);
});

const id = { tag: 0x001e, value: Buffer.from('5001\0') };
const state = { tag: 0x0427, value: Buffer.from([2]) };

test('unmarked, only both parameters make a report, with the setting, for the number that it comes from', async () => {
  const from = (number: string) => ({ ton: 1, npi: 1, number });
  const unmarked = { text: Buffer.from('id:7 stat:UNDELIV'), tlvs: [id, state] };
  expect(await heard({}, unmarked)).toMatchObject({ reports: [], messages: [{}] });
  const all = [
    ...[[], [id], [state]].map((tlvs) => ({ ...unmarked, tlvs })),
    ...['254711000001', '+254711000001', '00254711000001'].map((number) => ({
      ...{ ...unmarked, source: from(number) },
    })),
    report,
  ];
  const own = { networkId: '5001', state: 'Delivered', phone: '+254711000001' };
  expect(await heard({ unmarkedReports: true }, ...all)).toMatchObject({
    reports: [own, own, own, { networkId: '5001', state: 'Delivered' }],
    messages: [{}, {}, {}],
  });
});

test('no text of a phone passes for a report', async () => {
  await fc.assert(
    fc.asyncProperty(
      anyText,
      fc.constantFrom<BufferEncoding>('latin1', 'utf16le', 'utf8'),
      ofPhones,
      fc.nat(255),
      fc.boolean(),
      fc.boolean(),
      async (words, encoding, esmClass, dataCoding, inPayload, unmarkedReports) => {
        const octets = Buffer.from(words, encoding);
        const place = inPayload
          ? { text: Buffer.alloc(0), tlvs: [{ tag: tags.messagePayload, value: octets }] }
          : { text: octets };
        const { reports, messages } = await heard({ unmarkedReports }, { ...place, esmClass, dataCoding });
        expect([reports, messages.length]).toEqual([[], 1]);
      },
    ),
    { seed: Number(process.env.SEED), numRuns: sized(2_000, 50_000) },
  );
});
