/** A connector to an SMSC: how it binds, what it sends, and how it ends. */

import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { SmscAnswer } from '../../partner/sandbox/smsc/smsc.ts';
import { longLease } from '../contract/lease-testing.ts';
import { manySms, openConnector, sms, until } from './fake-testing.ts';
import { type Script, silence, startScript } from './script-testing.ts';

let script: Script;
beforeEach(async () => {
  script = await startScript();
});
afterEach(() => script.close());

describe('binding', () => {
  test('a transceiver binds with its account and reports its condition', async () => {
    const { connector } = await script.open({ window: 7, rate: 50 });
    expect(script.admissions).toEqual(['tarishi/secret']);
    expect(connector.state?.()).toEqual({ binds: 1, bound: 1, window: 7, inFlight: 0, ratePerSecond: 50 });
  });

  test('a transmitter sends and a receiver gets reports', async () => {
    script.answer = () => ({ status: 0, report: { state: 'DELIVRD', error: '000', afterMs: 0 } });
    const { connector, reports } = await script.open({ bindMode: 'transmitter+receiver' });
    await until(() => script.admissions.length === 2);
    expect(await connector.send([sms('1')], longLease)).toMatchObject([
      { kind: 'accepted', networkId: '00000001' },
    ]);
    await until(() => reports.length === 1);
    expect(reports).toEqual([{ networkId: '00000001', state: 'Delivered' }]);
  });

  test('several binds share the messages', async () => {
    const { connector } = await script.open({ binds: 3, window: 1 });
    script.answer = silence;
    void connector.send(manySms(4), longLease);
    await until(() => script.received.length === 3);
    expect(connector.state?.()).toMatchObject({ binds: 3, bound: 3, inFlight: 3 });
  });

  test('a rejected account: an alarm, and no other attempt for 5 minutes', async () => {
    script.admission = 0x0e;
    const { lines } = await script.open({ binds: 2 }, 0);
    await until(() => lines.filter(({ msg }) => msg === 'SMPP connection closed').length === 2);
    expect(lines.filter(({ alarm }) => alarm === true)).toHaveLength(1);
    script.timers.advance(299_000);
    await new Promise((resolve) => setImmediate(resolve));
    expect(script.admissions).toHaveLength(2);
    script.admission = 0;
    script.timers.advance(17_000);
    await until(() => script.bound() === 2);
  });

  test('without a connection messages stay with us', async () => {
    const { port } = script.smsc;
    await script.smsc.close();
    const { connector, lines } = await script.open({ port }, 0);
    await until(() => lines.some(({ msg }) => msg === 'connection to the SMSC failed'));
    expect(await connector.send([sms('1')], longLease)).toEqual([{ kind: 'later', delaySeconds: 2 }]);
  });

  test('a bind that the SMSC may still have of a process that died is tried again every 15 s', async () => {
    script.admission = 0x0d;
    const { connector, lines } = await script.open({}, 0);
    await connector.use?.({ parts: [0], ratePerSecond: 1, inherited: true, forMs: 20_000 });
    await until(() => lines.some(({ msg }) => msg === 'SMPP connection closed'));
    script.admission = 0;
    await connector.use?.({ parts: [0], ratePerSecond: 1, inherited: false, forMs: 20_000 });
    script.timers.advance(16_000);
    await until(() => script.bound() === 1);
    expect(lines.filter(({ alarm }) => alarm === true)).toEqual([]);
  });

  test('what its share does not have any more is unbound, and at the end of its time everything', async () => {
    const { connector } = await script.open({ binds: 3, rate: 30 });
    await connector.use?.({ parts: [1], ratePerSecond: 10, inherited: false, forMs: 5_000 });
    expect(connector.state?.()).toMatchObject({ binds: 1, bound: 1, ratePerSecond: 10 });
    script.timers.advance(5_000);
    await until(() => script.bound() === 0);
    expect(await connector.send([sms('1')], longLease)).toMatchObject([{ kind: 'later' }]);
    script.timers.advance(120_000);
    expect(script.admissions).toHaveLength(3);
  });

  test('the first host that takes the bind is used, and the first one is tried again after that', async () => {
    const refusing = await startScript();
    refusing.admission = 0x08;
    const hosts = `127.0.0.1:1, 127.0.0.1:${refusing.smsc.port}, [::ffff:127.0.0.1]:${script.smsc.port}`;
    const opened = openConnector({ host: hosts, rate: 100 }, script.timers);
    const { connector } = opened;
    const bound = () => connector.state?.().bound === 1;
    const failures = () => opened.lines.filter(({ level }) => level === 40).length;
    for (const failed of [1, 2]) {
      await until(() => failures() === failed, 'the next failure');
      script.timers.advance(0);
    }
    await until(bound, 'the third host');
    expect([refusing.admissions.length, script.admissions.length]).toEqual([1, 1]);
    refusing.admission = 0;
    await script.smsc.close();
    await until(() => connector.state?.().bound === 0);
    script.timers.advance(2_000);
    await until(() => failures() === 4, 'the first host again');
    script.timers.advance(0);
    await until(bound, 'the second host');
    await Promise.all([connector.close?.(), refusing.close()]);
  });

  test('a password that does not fit into a bind is rejected at once', () => {
    expect(() => openConnector({ port: 1 }, script.timers, 'ninechars')).toThrow('at most 8');
  });

  test('the SMSC unbinds: reconnected after 1 to 2 s', async () => {
    const { connector } = await script.open();
    script.answer = () => ({ status: 0x04 });
    const sending = connector.send([sms('1')], longLease);
    await until(() => script.bound() === 0);
    script.answer = () => ({ status: 0 });
    script.timers.advance(999);
    expect(script.admissions).toHaveLength(1);
    script.timers.advance(1_001);
    // The same part again, by itself.
    expect(await sending).toMatchObject([{ kind: 'accepted' }]);
    expect(script.admissions).toHaveLength(2);
  });
});

describe('sending', () => {
  test('a long text is sent in parts, and all ids are returned', async () => {
    const { connector, parts } = await script.open();
    const outcome = await connector.send([sms('70000', 'a'.repeat(320)), sms('2')], longLease);
    expect(outcome).toEqual([
      { kind: 'accepted', partIds: ['00000001', '00000002', '00000003'], segments: 3 },
      { kind: 'accepted', networkId: '00000004', segments: 1, stored: true },
    ]);
    // 70000 & 0xff is 0x70.
    expect(script.received.map(({ text }) => text.subarray(0, 6).toString('hex'))).toEqual([
      '050003700301',
      '050003700302',
      '050003700303',
      Buffer.from('Habari').toString('hex'),
    ]);
    expect(parts.map(({ number, parts: of }) => `${number}/${of}`)).toEqual(['1/3', '2/3', '3/3', '1/1']);
  });

  test('parts that an interrupted hand-over sent are not sent again', async () => {
    const { connector, parts } = await script.open();
    parts.push({ messageId: '1', number: 1, parts: 3, networkId: 'x' });
    const outcome = await connector.send([sms('1', 'a'.repeat(320))], longLease);
    expect(outcome).toEqual([{ kind: 'accepted', partIds: ['x', '00000001', '00000002'], segments: 3 }]);
    expect(script.received).toHaveLength(2);
  });

  test('what could not be stored is not called stored, and comes back with the outcome', async () => {
    const opened = await script.open({ window: 1 });
    let asked = 0;
    opened.onKeep = async () => {
      asked += 1;
      throw new Error('the database is away');
    };
    const sending = opened.connector.send([sms('1')], longLease);
    await until(() => asked === 1, 'storing');
    script.timers.advance(35_000);
    expect(await sending).toEqual([{ kind: 'accepted', networkId: '00000001', segments: 1 }]);
    const partly = opened.connector.send([sms('2', 'a'.repeat(200))], longLease);
    await until(() => asked > 1, 'storing');
    script.timers.advance(35_000);
    const sent = [{ messageId: '2', number: 1, parts: 2, networkId: '00000002' }];
    expect(await partly).toMatchObject([{ kind: 'later', sent }]);
    expect(script.received).toHaveLength(2);
  });

  test('while nothing can be stored no more leaves than the window, and the rest once it can', async () => {
    const opened = await script.open({ window: 2 });
    let [away, asked] = [true, 0];
    opened.onKeep = async () => {
      asked += 1;
      if (away) throw new Error('the database is away');
    };
    const sending = opened.connector.send(manySms(4), longLease);
    await until(() => asked === 2, 'storing');
    script.timers.advance(1_000);
    await until(() => asked === 4, 'storing again');
    expect(script.received).toHaveLength(2);
    away = false;
    script.timers.advance(1_000);
    const stored = { kind: 'accepted', stored: true };
    expect(await sending).toMatchObject([stored, stored, stored, stored]);
    expect(script.received).toHaveLength(4);
  });

  test('what is still being stored when the time is up is not called stored', async () => {
    const opened = await script.open();
    const { promise: away, resolve: back } = Promise.withResolvers<void>();
    let asked = 0;
    opened.onKeep = async () => {
      asked += 1;
      await away;
    };
    const sending = opened.connector.send([sms('1')], longLease);
    await until(() => asked === 1, 'storing');
    script.timers.advance(35_000);
    expect(await sending).toEqual([{ kind: 'accepted', networkId: '00000001', segments: 1 }]);
    back();
  });

  test('nothing leaves when its response could come after the end of the lease', async () => {
    const { connector } = await script.open();
    expect(await connector.send([sms('1')], () => 34_999)).toEqual([{ kind: 'later', delaySeconds: 1 }]);
    expect(script.received).toEqual([]);
  });

  test('nothing leaves after the lease has ended while it waited for its place', async () => {
    const { connector } = await script.open({ window: 1 });
    const first = Promise.withResolvers<void>();
    script.answer = async (_message, count) => {
      if (count === 1) await first.promise;
      return { status: 0 };
    };
    const sending = connector.send([sms('1'), sms('2')], () => 36_000);
    await until(() => script.received.length === 1, 'the first part');
    script.timers.advance(1_000);
    first.resolve();
    expect(await sending).toMatchObject([{ kind: 'accepted' }, { kind: 'later' }]);
    expect(script.received).toHaveLength(1);
  });

  test('no more parts than the window are unanswered', async () => {
    const waiting: (() => void)[] = [];
    script.answer = () => new Promise((resolve) => waiting.push(() => resolve({ status: 0 })));
    const { connector } = await script.open({ window: 4 });
    const sending = connector.send(manySms(40), longLease);
    for (let done = 0; done < 40; done += 4) {
      await until(() => waiting.length === 4);
      expect(script.received).toHaveLength(done + 4);
      for (const next of waiting.splice(0)) next();
    }
    expect((await sending).every(({ kind }) => kind === 'accepted')).toBe(true);
  });

  test('no more than the rate is sent, and what waits for 10 s goes back to the queue', async () => {
    const { connector } = await script.open({ rate: 10, window: 100 });
    const sending = connector.send(manySms(150), longLease);
    for (let second = 0; second < 12; second += 1) {
      script.timers.advance(1_000);
      // Timers run in steps of 100 ms, responses between them.
      await until(() => connector.state?.().inFlight === 0);
    }
    const outcomes = await sending;
    const accepted = outcomes.filter(({ kind }) => kind === 'accepted');
    expect(accepted.length).toBeGreaterThan(90);
    expect(accepted.length).toBeLessThanOrEqual(105);
    expect(outcomes.at(-1)).toEqual({ kind: 'later', delaySeconds: 1 });
  });

  test('a sender that does not fit into a submit_sm fails only that message', async () => {
    const { connector } = await script.open();
    const outcomes = await connector.send([{ ...sms('1'), sender: 'a'.repeat(21) }, sms('2')], longLease);
    expect(outcomes).toMatchObject([{ kind: 'rejected', state: 'Failed' }, { kind: 'accepted' }]);
  });
});

describe('closing', () => {
  test('finishes what is under way, takes back what waits, and unbinds', async () => {
    let release = (_answer: SmscAnswer) => {};
    script.answer = () => new Promise((resolve) => (release = resolve));
    const { connector } = await script.open({ window: 1 });
    const sending = connector.send([sms('1'), sms('2')], longLease);
    await until(() => script.received.length === 1);
    const closing = connector.close?.();
    release({ status: 0 });
    expect(await sending).toMatchObject([{ kind: 'accepted' }, { kind: 'later' }]);
    await closing;
    expect(script.bound()).toBe(0);
    expect(await connector.send([sms('3')], longLease)).toMatchObject([{ kind: 'later' }]);
  });

  test('does not wait for an SMSC that is silent', async () => {
    script.answer = silence;
    const { connector } = await script.open();
    const sending = connector.send([sms('1')], longLease);
    await until(() => script.received.length === 1);
    const closing = connector.close?.();
    script.timers.advance(4_000);
    await closing;
    expect(await sending).toMatchObject([{ kind: 'later' }]);
  });
});
