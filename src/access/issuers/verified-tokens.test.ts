/** The cache of verified tokens: a limit on verifications does not stop a known token. */
import { expect, test } from '@jest/globals';
import { rememberVerified, type VerifiedToken } from './verified-tokens.ts';

test('an address that may verify no more tokens is still served with one that was verified a moment ago', async () => {
  const clock = { nowMs: 1_000, now: () => clock.nowMs, elapsedMs: () => clock.nowMs };
  const granted: VerifiedToken = {
    issuer: null,
    clientId: 'client-1',
    scopes: [],
    validFromMs: 0,
    expiresAtMs: 3_600_000,
    kid: 'key',
  };
  const verify = rememberVerified(async () => granted, clock);
  const refuse = () => {
    throw new Error('too often');
  };
  await expect(verify('token', refuse)).rejects.toThrow('too often');
  await verify('token', () => {});
  expect(await verify('token', refuse)).toBe(granted);
  await expect(verify('another', refuse)).rejects.toThrow('too often');
  clock.nowMs += 60_000;
  await expect(verify('token', refuse)).rejects.toThrow('too often');
});
