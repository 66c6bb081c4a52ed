/** A connector to an SMSC that is not ours: Debian's libnet-smpp-perl, with its own decoder of GSM-7 and UCS-2. */

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect } from '@jest/globals';
import { longLease } from '../../contract/lease-testing.ts';
import { type Opened, openConnector, sms, until } from '../fake-testing.ts';
import { systemTimers } from '../session/timers.ts';
import type { SmppSettings } from '../settings.ts';
import { withPeer } from './installed-testing.ts';

const test = withPeer('libnet-smpp-perl', 'perl', ['-MNet::SMPP', '-e', '1']);

interface Line {
  port?: number;
  submit?: string;
  header?: string;
  text?: string;
  from?: string;
  taken?: number;
  unbind?: number;
}

let smsc: ChildProcess;
let lines: Line[];
let opened: Opened | undefined;

beforeEach(async () => {
  lines = [];
  smsc = spawn('perl', [fileURLToPath(new URL('smsc.pl', import.meta.url))], {
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  if (smsc.stdout === null) throw new Error('no output');
  createInterface({ input: smsc.stdout }).on('line', (line) => lines.push(JSON.parse(line)));
});

afterEach(async () => {
  await opened?.connector.close?.();
  opened = undefined;
  const ended = once(smsc, 'exit');
  if (smsc.exitCode === null && smsc.kill()) await ended;
});

const submits = () => lines.filter(({ submit }) => submit !== undefined);

async function open(settings: Partial<SmppSettings> = {}): Promise<Opened> {
  await until(() => lines[0]?.port !== undefined, 'the SMSC listening');
  const hexIds = {
    reportId: 'decimalToHex',
  } as const;
  const one = openConnector({ port: lines[0]?.port ?? 0, rate: 1_000, ...hexIds, ...settings }, systemTimers);
  opened = one;
  await until(() => one.connector.state?.().bound === (settings.binds ?? 1), 'being bound');
  return one;
}

describe('texts arrive as they were written, and every part is reported', () => {
  test.each([
    ['GSM-7', 'Habari @£$¥èéùìòÇØøÅåΔΦΓΛΩΠΨΣΘΞÆæßÉ ñà?', 1],
    ['the extension table', '^{}\\[~]|€', 1],
    ['UCS-2 with an emoji', 'Привет 😀 ሰላም', 1],
    ['3 parts with a euro sign between', `${'a'.repeat(152)}€${'a'.repeat(152)}`, 3],
    ['3 parts with an emoji between', `${'я'.repeat(66)}😀${'я'.repeat(66)}`, 3],
    ['7 parts', 'Habari ya asubuhi. '.repeat(50).slice(0, 950), 7],
  ])('%s', async (_name, text, count) => {
    const { connector, reports } = await open();
    const [outcome] = await connector.send([sms('4660', text)], longLease);
    expect(outcome).toMatchObject({ kind: 'accepted' });
    await until(() => submits().length === count, 'all parts written down');
    expect(
      submits()
        .map(({ text: part }) => part)
        .join(''),
    ).toBe(text);
    const headers = Array.from({ length: count }, (_, index) => `05000334${hex(count)}${hex(index + 1)}`);
    expect(submits().map(({ header }) => header)).toEqual(count === 1 ? [''] : headers);
    await until(() => reports.length === count, 'all reports');
    const partIds = outcome?.kind === 'accepted' ? (outcome.partIds ?? [outcome.networkId]) : [];
    expect(reports).toEqual(partIds.map((networkId) => ({ networkId, state: 'Delivered' })));
    await until(() => lines.filter(({ taken }) => taken === 0).length === count, 'all reports taken');
  });

  const hex = (value: number) => value.toString(16).padStart(2, '0');
});

test('a report that is no delivery is understood', async () => {
  const { connector, reports } = await open();
  expect(await connector.send([sms('1', 'Habari', '+254711007006')], longLease)).toMatchObject([
    { kind: 'accepted' },
  ]);
  await until(() => reports.length === 1, 'the report');
  expect(reports).toMatchObject([{ state: 'DeliveryImpossible' }]);
});

test.each([
  ['a text', { esmClass: 0, hex: '00486162617269' }, { content: { text: '@Habari' } }],
  ['a part, by its header', { esmClass: 0x40, hex: '05000307020141' }, { part: { number: 1, total: 2 } }],
  [
    'a part, by its parameters',
    { esmClass: 0, hex: '42', sar: [7, 2, 2] },
    { part: { number: 2, total: 2 } },
  ],
  ['UCS-2', { esmClass: 0, dataCoding: 8, hex: '041f' }, { content: { text: 'П' } }],
])('%s of a phone is read and acknowledged', async (_what, delivery, expected) => {
  const { messages } = await open();
  const addresses = { from: '254722000000', to: '22141', dataCoding: 0 };
  smsc.stdin?.write(`${JSON.stringify({ ...addresses, ...delivery })}\n`);
  await until(() => lines.some(({ taken }) => taken === 0), 'the acknowledgement');
  expect(messages).toMatchObject([{ from: '254722000000', body: expected }]);
});

test('each link of a connector unbinds before it disconnects', async () => {
  const { connector, lines: log } = await open({ bindMode: 'transmitter+receiver', binds: 2 });
  // `bound` counts those that send.
  await until(() => log.filter(({ msg }) => msg === 'bound to the SMSC').length === 4, 'four binds');
  await connector.close?.();
  await until(() => lines.filter(({ unbind }) => unbind === 1).length === 4, 'four unbinds');
});
