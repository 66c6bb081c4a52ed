/** No text of a phone can pass for a report, whatever it says, however it is coded, and whatever the settings are. */
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { pino } from 'pino';
import { sized } from '../../../platform/sized-testing.ts';
import { smppSettings } from '../fake-testing.ts';
import type { Link, OwnersRequest } from '../session/link.ts';
import { shortMessage } from '../testing.ts';
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

test('a report that names no message is kept as it is, and acknowledged', async () => {
  const heard: unknown[] = [];
  const answers: number[] = [];
  const incoming = createIncoming({
    settings: smppSettings({}),
    report: async () => void heard.push('report'),
    receive: async (messages) => void heard.push(...messages),
    logger: pino({ level: 'silent' }),
  });
  const request = { ...shortMessage({ esmClass: 0x04, text: Buffer.from('?') }), command: 'deliver_sm' };
  const link = { respond: (_request: unknown, status: number) => answers.push(status) };
  incoming(request as OwnersRequest, link as unknown as Link);
  await Promise.resolve();
  await Promise.resolve();
  expect([heard, answers]).toMatchObject([
    [{ body: { unreadable: { kind: 'Status', reason: 'Malformed', text: '3f' } } }],
    [0],
  ]);
});

test('the parameters that the settings name are details of the report: as text, or else in hex', () => {
  const reported: unknown[] = [];
  const incoming = createIncoming({
    settings: smppSettings({
      reportTags: { '0x1411': 'mccMnc', '0x1503': 'network', '0x1504': 'absent', '0x150A': 'empty' },
    }),
    report: async (reports) => void reported.push(...reports),
    receive: async () => {},
    logger: pino({ level: 'silent' }),
  });
  const tlvs = [
    { tag: 0x1411, value: Buffer.from('63902\0') },
    { tag: 0x1503, value: Buffer.from([0x36, 0xf9, 0x20]) },
    { tag: 0x150a, value: Buffer.from('\0') },
    { tag: 0x1505, value: Buffer.from('of no interest') },
  ];
  const report = shortMessage({ esmClass: 0x04, text: Buffer.from('id:5001 stat:DELIVRD'), tlvs });
  incoming({ ...report, command: 'deliver_sm' } as OwnersRequest, { respond: () => {} } as unknown as Link);
  expect(reported).toEqual([
    { networkId: '5001', state: 'Delivered', details: { mccMnc: '63902', network: '36f920' } },
  ]);
});

test('no text of a phone passes for a report', () => {
  fc.assert(
    fc.property(
      anyText,
      fc.constantFrom<BufferEncoding>('latin1', 'utf16le', 'utf8'),
      ofPhones,
      fc.nat(255),
      fc.boolean(),
      fc.boolean(),
      (words, encoding, esmClass, dataCoding, inPayload, unmarkedReports) => {
        const octets = Buffer.from(words, encoding);
        const place = inPayload
          ? { text: Buffer.alloc(0), tlvs: [{ tag: tags.messagePayload, value: octets }] }
          : { text: octets };
        const seen: string[] = [];
        const note = (what: string) => async () => void seen.push(what);
        const incoming = createIncoming({
          settings: smppSettings({ unmarkedReports }),
          report: note('report'),
          receive: note('message'),
          logger: pino({ level: 'silent' }),
        });
        const request = { ...shortMessage({ ...place, esmClass, dataCoding }), command: 'deliver_sm' };
        incoming(request as OwnersRequest, { respond: () => {} } as unknown as Link);
        expect(seen).toEqual(['message']);
      },
    ),
    { seed: Number(process.env.SEED), numRuns: sized(2_000, 50_000) },
  );
});
