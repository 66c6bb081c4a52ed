/** The rules of SMPP as tables: statuses, reports, ids, addresses, times. */
import { describe, expect, test } from '@jest/globals';
import { forEvery, testEvery } from '../../platform/for-every-testing.ts';
import { smppSettings } from './fake-testing.ts';
import { readDeliveryReport } from './reports/delivery-report.ts';
import { keptId, type ReportIdRule, reportedId } from './reports/report-id.ts';
import { endOf } from './reports/report-states.ts';
import { isRefusedAccount, outcomeOf } from './sending/outcomes.ts';
import { reconnectDelayMs, refusedDelayMs } from './session/backoff.ts';
import { createYieldingPace } from './session/pace.ts';
import { destinationAddress, sourceAddress, validityPeriod } from './settings.ts';
import { shortMessage } from './testing.ts';

describe('command_status', () => {
  test('each has its meaning', () =>
    forEvery(
      [
        [0x00, 'accepted'],
        [0x58, 'throttled'],
        [0x14, 'queueFull'],
        [0x08, 'retry'],
        [0x45, 'retry'],
        [0x64, 'retry'],
        [0x0a, 'refused'],
        [0x0b, 'refused'],
        [0x33, 'refused'],
        [0x34, 'refused'],
        [0x65, 'refused'],
        [0x66, 'refused'],
        [0xc4, 'refused'],
        [0x04, 'rebind'],
        [0x401, 'retry'],
      ],
      '%p is %s',
      (status, kind) => {
        expect(outcomeOf(status).kind).toBe(kind);
      },
    ));

  test('an invalid destination has a state of its own', () => {
    expect(outcomeOf(0x0b)).toMatchObject({ state: 'InvalidMsisdn' });
    expect(outcomeOf(0x66)).toMatchObject({ state: 'Failed' });
  });

  test('0x0D to 0x0F at a bind reject the account, others do not', () => {
    expect([0x05, 0x08, 0x0d, 0x0e, 0x0f, 0x10].map(isRefusedAccount)).toEqual([
      false,
      false,
      true,
      true,
      true,
      false,
    ]);
  });
});

describe('reports', () => {
  const id = (value: string) => ({ tag: 0x001e, value: Buffer.from(value, 'latin1') });
  const state = (value: number) => ({ tag: 0x0427, value: Buffer.from([value]) });
  const text =
    'id:0123456789 sub:001 dlvrd:001 submit date:2611210733 done date:261121073355 stat:DELIVRD err:000 text:Hi';

  testEvery([
    ['as in appendix B', { text }, { id: '0123456789', state: 'DELIVRD', error: '000' }],
    [
      'names in any case',
      { text: 'ID:7 SUB:1 Stat:undeliv Err:1a' },
      { id: '7', state: 'UNDELIV', error: '1a' },
    ],
    [
      'parameters win over the text',
      { text, tlvs: [id('abc\0'), state(5)] },
      { id: 'abc', state: 'UNDELIV' },
    ],
    ['an id without its end', { text, tlvs: [id('abc')] }, { id: 'abc', state: 'DELIVRD' }],
    ['an unknown state leaves the text its own', { text, tlvs: [state(99)] }, { state: 'DELIVRD' }],
    ['parameters alone', { text: '', tlvs: [id('9'), state(8)] }, { id: '9', state: 'REJECTD' }],
    ['a text that says UCS-2 and is not', { text, dataCoding: 8 }, { id: '0123456789' }],
    ['a text that is UCS-2', { ucs2: text, dataCoding: 8 }, { id: '0123456789', state: 'DELIVRD' }],
    ['an intermediate one', { text: 'id:1 stat:ENROUTE', esmClass: 0x20 }, { id: '1', state: 'ENROUTE' }],
    ['with a reply path', { text, esmClass: 0x84 }, { id: '0123456789' }],
    [
      'in message_payload',
      { text: '', tlvs: [{ tag: 0x0424, value: Buffer.from(text) }] },
      { state: 'DELIVRD' },
    ],
    ['network_error_code', { text: 'id:1 stat:UNDELIV', tlvs: [error(34)] }, { error: '34' }],
  ])('%s', (_rule, { text = '', ucs2, ...fields }: { text?: string; ucs2?: string }, report) => {
    const octets = ucs2 === undefined ? Buffer.from(text, 'latin1') : Buffer.from(ucs2, 'utf16le').swap16();
    const message = shortMessage({ esmClass: 0x04, ...fields, text: octets });
    expect(readDeliveryReport(message)).toMatchObject(report);
  });

  test('what is none', () =>
    forEvery(
      [
        ['a message from a phone', { text: 'Habari id: 7', esmClass: 0 }],
        ['a report without an id', { text: 'stat:DELIVRD' }],
        ['a report without a state', { text: 'id:7 stat:??' }],
        ['nothing', { text: '' }],
      ],
      '%s is not a report',
      (_rule, { text, ...fields }: { text: string; esmClass?: number }) => {
        expect(
          readDeliveryReport(shortMessage({ esmClass: 4, ...fields, text: Buffer.from(text) })),
        ).toBeUndefined();
      },
    ));

  test('each has its meaning', () =>
    forEvery(
      [
        ['DELIVRD', 'Delivered'],
        ['EXPIRED', 'AbsentSubscriber'],
        ['DELETED', 'Failed'],
        ['UNDELIV', 'DeliveryImpossible'],
        ['UNKNOWN', 'DeliveryUncertain'],
        ['REJECTD', 'Failed'],
        ['ENROUTE', undefined],
        ['ACCEPTD', undefined],
      ] as const,
      '%s is %s',
      (word, ours) => {
        expect(endOf({ id: '1', state: word, error: undefined }, {})?.state).toBe(ours);
      },
    ));

  test("an operator's own code takes precedence over the state", () => {
    const report = { id: '1', state: 'REJECTD', error: '003' } as const;
    const end = { state: 'SenderBlacklisted', reasonCode: '003' };
    expect(endOf(report, { '003': 'SenderBlacklisted' })).toMatchObject(end);
    expect(endOf({ ...report, error: '000' }, {})).not.toHaveProperty('reasonCode');
  });

  function error(code: number) {
    return { tag: 0x0423, value: Buffer.from([3, code >> 8, code & 0xff]) };
  }
});

describe('ids', () => {
  const rule = (fields: Partial<ReportIdRule>): ReportIdRule => ({
    reportId: 'asIs',
    reportIdIgnoresLeadingZeros: false,
    reportIdIgnoresCase: false,
    ...fields,
  });
  testEvery([
    ['as it is', rule({}), '00AB', '00AB', true],
    ['as it is, but other', rule({}), '00AB', '00ab', false],
    ['case', rule({ reportIdIgnoresCase: true }), '00AB', '00ab', true],
    ['leading zeros', rule({ reportIdIgnoresLeadingZeros: true }), '0000', '0', true],
    ['hex in the report', rule({ reportId: 'hexToDecimal' }), '4294967296', '100000000', true],
    [
      'hex of 20 digits',
      rule({ reportId: 'hexToDecimal' }),
      '1208925819614629174706175',
      'f'.repeat(20),
      true,
    ],
    ['decimal in the report', rule({ reportId: 'decimalToHex' }), 'ff', '255', true],
    ['decimal in the report, capitals before', rule({ reportId: 'decimalToHex' }), 'FF', '255', true],
    ['decimal in the report, padding before', rule({ reportId: 'decimalToHex' }), '00FF', '255', true],
    ['padding in both', rule({ reportId: 'decimalToHex' }), '00FF', '0000000255', true],
    ['hex in the report, padding before', rule({ reportId: 'hexToDecimal' }), '0000000255', 'FF', true],
    ['another number', rule({ reportId: 'hexToDecimal' }), '255', 'FE', false],
    ['a UUID is not hex', rule({ reportId: 'hexToDecimal' }), 'a-b', 'a-b', true],
  ])('%s', (_rule, form, answered, reported, same) => {
    expect(keptId(answered, form) === reportedId(reported, form)).toBe(same);
  });
});

describe('addresses', () => {
  const settings = smppSettings({});
  testEvery([
    ['TARISHI', { ton: 5, npi: 0, number: 'TARISHI' }],
    ['22141', { ton: 3, npi: 0, number: '22141' }],
    ['+254711000000', { ton: 1, npi: 1, number: '254711000000' }],
    ['254711000000', { ton: 1, npi: 1, number: '254711000000' }],
  ])('from %s', (sender, address) => {
    expect(sourceAddress(sender, settings)).toEqual(address);
  });
  test('to a number, with types of the operator', () => {
    const own = smppSettings({ destination: '2/8' });
    expect(destinationAddress('+254711000000', own)).toEqual({ ton: 2, npi: 8, number: '254711000000' });
  });
});

describe('times', () => {
  testEvery([
    [0, ''],
    [59, '000000000059000R'],
    [86_400 + 3_600 + 60 + 1, '000001010101000R'],
  ])('%p seconds of validity', (seconds, period) => {
    expect(validityPeriod(seconds)).toBe(period);
  });

  test('reconnects wait 1 to 60 s, with jitter', () => {
    expect([0, 1, 2, 5, 9, 50].map((failures) => reconnectDelayMs(failures, 0))).toEqual([
      1_000, 2_000, 4_000, 30_000, 30_000, 30_000,
    ]);
    expect(reconnectDelayMs(0, 0.999)).toBeLessThan(2_000);
    expect(reconnectDelayMs(50, 0.999)).toBeLessThanOrEqual(60_000);
  });

  test('a rejected account waits 5 minutes to an hour', () => {
    expect([1, 2, 9].map((refusals) => refusedDelayMs(refusals, 0))).toEqual([300_000, 600_000, 3_600_000]);
  });

  test('throttling doubles the interval once per window, and successes shorten it again', () => {
    const ownPace = createYieldingPace();
    const interval = (nowMs: number) => {
      ownPace.spend(nowMs + 100_000);
      return ownPace.waitMs(nowMs + 100_000);
    };
    ownPace.throttled(5, 10);
    ownPace.throttled(6, 11);
    expect(interval(11)).toBe(10);
    ownPace.throttled(12, 20);
    expect(interval(20)).toBe(20);
    for (let turn = 0; turn < 20; turn += 1) ownPace.throttled(30 + turn, 30 + turn);
    expect(interval(60)).toBeLessThanOrEqual(1_000);
    for (let turn = 0; turn < 80; turn += 1) ownPace.accepted();
    expect(ownPace.waitMs(1_000_000)).toBe(0);
    ownPace.spend(1_000_000);
    expect(ownPace.waitMs(1_000_000)).toBe(0);
  });
});
