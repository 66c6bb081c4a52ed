/** A connector and the responses of the SMSC: each class of command_status, silence, and a lost connection. */

import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { longLease } from '../contract/lease-testing.ts';
import { manySms, sms, until } from './fake-testing.ts';
import { type Script, silence, startScript } from './script-testing.ts';
import type { SmppSettings } from './settings.ts';

let script: Script;
beforeEach(async () => {
  script = await startScript();
});
afterEach(() => script.close());

describe('responses', () => {
  const send = async (content = 'Habari', settings: Partial<SmppSettings> = {}) =>
    (await script.open(settings)).connector.send([sms('1', content)], longLease);

  test('an invalid destination is the end, with the status as the operator writes it', async () => {
    script.answer = () => ({ status: 0x0b });
    expect(await send()).toEqual([
      {
        kind: 'rejected',
        state: 'InvalidMsisdn',
        reason: 'The network refused the number',
        reasonCode: '0x0000000B',
      },
    ]);
  });

  test('a part that is rejected after another was accepted fails the message without a refund', async () => {
    script.answer = (_message, count) => ({ status: count === 1 ? 0 : 0x66 });
    expect(await send('a'.repeat(200), { window: 1 })).toEqual([
      { kind: 'accepted', partIds: ['00000001'], reports: ['Failed'], segments: 2 },
    ]);
  });

  test('throttled: the same part is sent again later, and no attempt counts', async () => {
    script.answer = (_message, count) => ({ status: count <= 20 ? 0x58 : 0 });
    const { connector, trouble } = await script.open({ window: 1 });
    const sending = connector.send([sms('1')], longLease);
    for (let turn = 1; turn <= 20; turn += 1) {
      await until(() => script.received.length === turn && connector.state?.().inFlight === 0);
      script.timers.advance(turn < 7 ? 640 : 1_000);
      if (script.received.length > 7) break;
    }
    expect(trouble.seen().throttled).toBe(true);
    script.timers.advance(20_000);
    expect(await sending).toEqual([{ kind: 'later', delaySeconds: 1 }]);
    expect(new Set(script.received.map(({ text }) => text.toString())).size).toBe(1);
  });

  test('a full queue holds back only that destination', async () => {
    script.answer = ({ destination }) => ({ status: destination.number.endsWith('1') ? 0x14 : 0 });
    const { connector } = await script.open();
    const [full, free] = ['+254711000001', '+254711000002'];
    const both = (id: string) => [sms(`${id}1`, 'a', full), sms(`${id}2`, 'a', free)];
    expect(await connector.send(both('1'), longLease)).toMatchObject([
      { kind: 'later', delaySeconds: 10 },
      { kind: 'accepted' },
    ]);
    script.timers.advance(4_000);
    expect(await connector.send(both('2'), longLease)).toMatchObject([
      { kind: 'later', delaySeconds: 6 },
      { kind: 'accepted' },
    ]);
    expect(script.received).toHaveLength(3);
    script.timers.advance(6_000);
    expect(await connector.send(both('3'), longLease)).toMatchObject([
      { kind: 'later', delaySeconds: 20 },
      { kind: 'accepted' },
    ]);
  });

  test('any other status: again, five times at most', async () => {
    script.answer = () => ({ status: 0x08 });
    const { connector } = await script.open();
    const kinds: object[] = [];
    for (let attempt = 0; attempt < 5; attempt += 1)
      kinds.push(...(await connector.send([sms('1')], longLease)));
    expect(kinds).toMatchObject([
      ...[5, 30, 120, 600].map((delaySeconds) => ({ kind: 'later', delaySeconds })),
      { kind: 'rejected', state: 'Failed', reasonCode: expect.stringContaining('0x') },
    ]);
  });

  test.each([
    ['resend', { kind: 'later', delaySeconds: 1, unanswered: true }],
    ['wait', { kind: 'accepted', partIds: [], segments: 1 }],
  ] as const)('none at all, and %s', async (unanswered, outcome) => {
    script.answer = silence;
    const { connector } = await script.open({ unanswered, responseTimeoutSeconds: 15 });
    const sending = connector.send([sms('1')], longLease);
    await until(() => script.received.length === 1);
    script.timers.advance(15_000);
    expect(await sending).toEqual([outcome]);
  });

  test('an SMSC that is gone: what it got has an unknown outcome, the rest stays', async () => {
    script.answer = silence;
    const { connector } = await script.open({ window: 10 });
    const sending = connector.send(manySms(15), longLease);
    await until(() => script.received.length === 10);
    await script.smsc.close();
    await until(() => script.bound() === 0);
    script.timers.advance(10_000);
    expect((await sending).every(({ kind }) => kind === 'later')).toBe(true);
    expect(script.received).toHaveLength(10);
  });
});
