/** Calls as curl: a shell reads what was sent, without the secrets and numbers in it. */
import { expect, test } from '@jest/globals';
import { managementOperations } from '../../contract/management.ts';
import { curlOf } from './curl.ts';

const operation = (id: string) => {
  const found = managementOperations().find((one) => one.id === id);
  if (found === undefined) throw new Error(`there is no ${id}`);
  return found;
};

test('a read is its address', () => {
  expect(curlOf({ operation: operation('listTeams'), path: '/teams?limit=5', request: {} })).toBe(
    'curl -s "$MANAGE/teams?limit=5" \\\n  -H "Authorization: Bearer $KEY"',
  );
});

test('a change has its version and body, in which quotes stay quotes', () => {
  const request = { ifMatch: '"abc"', body: { name: `it's "new"` } };
  expect(curlOf({ operation: operation('updateTeam'), path: '/teams/acme', request })).toBe(
    `curl -s -X PATCH "$MANAGE/teams/acme" \\
  -H "Authorization: Bearer $KEY" \\
  -H 'If-Match: "abc"' \\
  -H 'Content-Type: application/json' \\
  -d '{"name":"it'\\''s \\"new\\""}'`,
  );
});

test('secrets and phone numbers are left out, ids are not', () => {
  const body = {
    kind: 'smpp',
    settings: { systemId: '106540352242922' },
    secrets: { password: 'hunter2', old: null },
  };
  const shown = curlOf({ operation: operation('createConnector'), path: '/connectors', request: { body } });
  expect(shown).toContain('"secrets":{"password":"…","old":null}');
  expect(shown).toContain('106540352242922');
  const erased = { body: { phone: '+254711000001' } };
  const erase = curlOf({
    operation: operation('eraseSubject'),
    path: '/messages?phone=%2B254711000001',
    request: erased,
  });
  expect(erase).not.toContain('711000001');
});
