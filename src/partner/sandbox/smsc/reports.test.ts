/** Reports of the simulated SMSC are bounded: in tries, in number, and in the time they wait for a receiver. */
import { beforeEach, expect, test } from '@jest/globals';
import { createFakeTimers, type FakeTimers } from '../../../connectors/smpp/fake-testing.ts';
import type { Link } from '../../../connectors/smpp/session/link.ts';
import { shortMessage } from '../../../connectors/smpp/testing.ts';
import { statuses } from '../../../connectors/smpp/wire/commands.ts';
import { createSmscReports, type SmscReports } from './reports.ts';

const hour = 3_600_000;
let timers: FakeTimers;
let reports: SmscReports;
/** The texts that receivers were sent, with the time. */
let sent: string[];
/** A receiver's response to a report; undefined: it is gone. */
let status: number | undefined;
let bound: Set<string>;
let whileSent: () => void;

beforeEach(() => {
  timers = createFakeTimers();
  sent = [];
  status = statuses.ok;
  bound = new Set();
  whileSent = () => {};
  const receiver = {
    request: (_command, message, onAnswer) => {
      sent.push(String((message as { text: Buffer }).text));
      whileSent();
      onAnswer(status === undefined ? undefined : ({ status } as never));
    },
  } as Partial<Link> as Link;
  reports = createSmscReports(timers, (systemId) => (bound.has(systemId) ? receiver : undefined));
});

const report = (text: string) => shortMessage({ text: Buffer.from(text) });

test('a report waits for a receiver of its own ESME', () => {
  reports.send('one', report('a'));
  bound.add('two').add('one');
  reports.sendKept('two');
  expect(sent).toEqual([]);
  reports.sendKept('one');
  reports.sendKept('one');
  expect(sent).toEqual(['a']);
});

test('one whose receiver ends before it responds is kept as well', () => {
  bound.add('one');
  status = undefined;
  whileSent = () => bound.delete('one');
  reports.send('one', report('a'));
  bound.add('one');
  status = statuses.ok;
  reports.sendKept('one');
  expect(sent).toEqual(['a', 'a']);
});

test('one without a response from a receiver that stays is sent again', () => {
  bound.add('one');
  status = undefined;
  reports.send('one', report('a'));
  status = statuses.ok;
  timers.advance(1_000);
  expect(sent).toEqual(['a', 'a']);
});

test('after an hour it is dropped', () => {
  reports.send('one', report('a'));
  timers.advance(hour - 1);
  reports.send('one', report('b'));
  timers.advance(1);
  bound.add('one');
  reports.sendKept('one');
  expect(sent).toEqual(['b']);
});

test('of more than 10,000 without a receiver the oldest are dropped', () => {
  for (let index = 0; index <= 10_000; index += 1) reports.send(`esme-${index}`, report(String(index)));
  bound.add('esme-0').add('esme-1');
  reports.sendKept('esme-0');
  reports.sendKept('esme-1');
  expect(sent).toEqual(['1']);
});

test('a rejected one is tried ten times in all, ever more slowly', () => {
  bound.add('one');
  status = statuses.systemError;
  reports.send('one', report('a'));
  timers.advance(999);
  expect(sent).toHaveLength(1);
  timers.advance(1);
  expect(sent).toHaveLength(2);
  timers.advance(1_999);
  expect(sent).toHaveLength(2);
  timers.advance(hour);
  expect(sent).toHaveLength(10);
});

test('no more than 10,000 wait for their time; closing drops them', () => {
  bound.add('one');
  for (let index = 0; index < 10_000; index += 1) {
    expect(reports.full()).toBe(false);
    reports.sendAfter(30_000, 'one', report('a'));
  }
  expect(reports.full()).toBe(true);
  reports.close();
  timers.advance(hour);
  expect([sent, reports.full()]).toEqual([[], false]);
});
