/** When addresses and teams that cost much without result are rejected, and who is not. */
import { beforeEach, expect, test } from '@jest/globals';
import type Koa from 'koa';
import {
  blindSearchesBurst,
  blindSearchesPerSecond,
  failedLoginsBurst,
  failedLoginsPerSecond,
  refusedBodiesBurstBytes,
} from './bounds.ts';
import { createGuard, createGuardOfSearches, type Guard } from './guard.ts';

let nowMs: number;
let guard: Guard;

beforeEach(() => {
  nowMs = 0;
  guard = createGuard({ elapsedMs: () => nowMs });
});

const respond = (status: number, state: object) =>
  guard.count({ status, state: { origin: { peer: '192.0.2.1' }, ...state } } as Koa.Context, async () => {});

const refusal = { status: 429, code: 'rate_limit_exceeded', slug: 'too-many-rejected-requests' };

test('an address that fails to log in too often waits; others do not', async () => {
  for (let attempt = 0; attempt < failedLoginsBurst; attempt += 1)
    await respond(401, { refusal: { reason: 'signature' } });
  guard.admitLogin('192.0.2.1');
  await respond(401, { refusal: { reason: 'signature' } });
  expect(() => guard.admitLogin('192.0.2.1')).toThrow(
    expect.objectContaining({ ...refusal, headers: { 'Retry-After': '1' } }),
  );
  guard.admitLogin('192.0.2.2');
  nowMs = 1_000 / failedLoginsPerSecond;
  guard.admitLogin('192.0.2.1');
});

test('requests without credentials, and those that are accepted or rejected otherwise, do not count as failed log-ins', async () => {
  for (let attempt = 0; attempt < 2 * failedLoginsBurst; attempt += 1) {
    await respond(401, { refusal: { reason: 'missing' } });
    for (const status of [200, 400, 403, 404, 500]) await respond(status, {});
  }
  guard.admitLogin('192.0.2.1');
});

test('a team whose bodies are rejected waits; accepted ones, and failures of the service, do not count', async () => {
  const sent = { caller: { teamId: 'acme' }, bodyBytes: refusedBodiesBurstBytes };
  for (const status of [200, 500]) await respond(status, sent);
  await respond(404, { bodyBytes: refusedBodiesBurstBytes });
  await respond(400, sent);
  guard.admitBody('acme');
  await respond(400, { ...sent, bodyBytes: 1 });
  expect(() => guard.admitBody('acme')).toThrow(expect.objectContaining(refusal));
  guard.admitBody('other');
});

test('a user who sees numbers masked cannot guess them by searching', () => {
  const admit = createGuardOfSearches({ elapsedMs: () => nowMs });
  for (let search = 0; search <= blindSearchesBurst; search += 1) admit('viewer');
  expect(() => admit('viewer')).toThrow(expect.objectContaining({ status: 429 }));
  admit('another');
  nowMs = 1_000 / blindSearchesPerSecond;
  admit('viewer');
});
