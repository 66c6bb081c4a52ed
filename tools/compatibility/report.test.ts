/** What CI reports about a changed contract, and when it passes. */
import { expect, test } from '@jest/globals';
import { testEvery } from '../../src/platform/for-every-testing.ts';
import type { Change } from './change.ts';
import { report } from './report.ts';

const breaking: Change = {
  operation: 'makeThing',
  place: 'request /note',
  what: 'maxLength 20 → 19',
  breaking: true,
};
const addition: Change = {
  operation: 'makeThing',
  place: 'request /more',
  what: 'field is new',
  breaking: false,
};
const entry = '# Changelog\n\n## Unreleased\n\n- `makeThing`: more.\n\n## 1.0.0\n';
const raised = { released: '1.0.0', present: '1.1.0' };

const judge = (changes: Change[], versions = raised, changelog = entry) =>
  report({ name: 'openapi.yaml', versions, changes, changelog });

test('an unchanged contract needs nothing', () => {
  expect(judge([], { released: '1.0.0', present: '1.0.0' }, '')).toEqual({
    text: 'openapi.yaml: as released\n',
    passed: true,
  });
});

test('a breaking change fails and says where', () => {
  const { text, passed } = judge([breaking, addition]);
  expect(passed).toBe(false);
  expect(text).toBe(`openapi.yaml: 1 breaking and 1 compatible changes

These changes break clients of version 1.0.0:
  makeThing
    request /note: maxLength 20 → 19

Compatible changes since version 1.0.0:
  makeThing
    request /more: field is new
`);
});

test('a property that open requests could have before needs an entry of its own', () => {
  const ignored: Change = { ...addition, wasIgnored: 'more' };
  const { text, passed } = judge([ignored]);
  expect(passed).toBe(false);
  expect(text).toContain('These can break clients, which may have sent the property before with any value:');
  expect(text).toContain('CHANGELOG.md does not say that `more`, which was ignored, has an effect now');
  expect(judge([ignored], raised, entry.replace(': more.', ': `more` has an effect.')).passed).toBe(true);
});

test('an addition passes with a new version and an entry', () => {
  expect(judge([addition]).passed).toBe(true);
});

testEvery([
  [
    'the version of the release',
    { released: '1.0.0', present: '1.0.0' },
    entry,
    'info.version is still 1.0.0',
  ],
  ['no entry', raised, '# Changelog\n\n## Unreleased\n', 'names `makeThing`'],
  [
    'an entry of an older version',
    raised,
    '## Unreleased\n\n## 1.0.0\n\n- `makeThing`\n',
    'names `makeThing`',
  ],
  ['no changelog', raised, '', 'names `makeThing`'],
] as const)('an addition fails with %s', (_case, versions, changelog, sentence) => {
  const { text, passed } = judge([addition], versions, changelog);
  expect(passed).toBe(false);
  expect(text).toContain(sentence);
});
