/** Results as people and CI read them; every situation names a place in a guide. */
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@jest/globals';
import { testEvery } from '../../platform/for-every-testing.ts';
import { clientSituations } from './client/situations.ts';
import { inboundSituations, receiverSituations } from './receiver/situations.ts';
import { junitOf, linkOf, rowOf } from './report.ts';
import type { Result } from './verdict.ts';

const passed: Result = {
  name: 'normal',
  title: 'Everything works.',
  guide: 'idempotency.md#the-key',
  seconds: 1.5,
  findings: [],
};
const failed: Result = {
  ...passed,
  name: 'outage',
  findings: ['It <fails> & "more".', 'Twice.'],
  calls: ['0.000 s  sendSms  <k1>  500'],
};
const unknown: Result = { ...passed, name: 'duplicate', unknown: 'It cannot be told.' };

test('a row names the situation, and below it what was found and where to read on', () => {
  expect(rowOf(passed)).toBe('passed   normal            Everything works.\n');
  expect(rowOf(failed).split('\n')).toEqual([
    'FAILED   outage            Everything works.',
    '         It <fails> & "more".',
    '         Twice.',
    expect.stringMatching(/^ {9}See file:.*docs\/guides\/idempotency\.md#the-key$/),
    '         Its calls: time, operation, Idempotency-Key, status',
    '         0.000 s  sendSms  <k1>  500',
    '',
  ]);
  expect(rowOf(unknown)).toBe('unknown  duplicate         Everything works.\n         It cannot be told.\n');
});

test('JUnit XML has a case for each situation', () => {
  const xml = junitOf('client', [passed, failed, unknown]);
  expect(xml).toContain('tests="3" failures="1" skipped="1" time="4.500"');
  expect(xml).toContain('<testcase classname="client" name="normal" time="1.500"/>');
  expect(xml).toContain('<failure message="It &lt;fails&gt; &amp; &quot;more&quot;. Twice.">');
  expect(xml).toContain('0.000 s  sendSms  &lt;k1&gt;  500</failure>');
  expect(xml).toContain('<skipped message="It cannot be told."/>');
});

testEvery([...clientSituations(1), ...receiverSituations, ...inboundSituations])(
  '$name leads to a heading of a guide',
  (situation) => {
    const url = new URL(linkOf(situation));
    const file = fileURLToPath(url);
    expect(existsSync(file)).toBe(true);
    const headings = [...readFileSync(file, 'utf8').matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
      heading
        .toLowerCase()
        .replace(/[^\w -]/g, '')
        .replaceAll(' ', '-'),
    );
    expect(headings).toContain(url.hash.slice(1));
  },
);
