/** Authenticates a request to the management API: access key, then role. */
import { hash } from 'node:crypto';
import { bearerToken, type Credentials } from '../../clients/authentication.ts';
import type { Stopwatch } from '../../clock.ts';
import { createExpiringMap } from '../../concurrency/expiring-map.ts';
import { errors } from '../../errors.ts';
import { type Operator, requirePermission } from './permissions.ts';
import type { User } from './users.ts';

const limitKeys = 1_000;
const knownMs = 60_000;

/**
 * `userOfKey` finds enabled users only. Each request asks anew: a key that is withdrawn ends at once. A key that
 * was valid in the last minute passes while others from the same address are rejected for too many wrong ones.
 */
export function createUserAuthentication(
  userOfKey: (key: string) => Promise<User | undefined>,
  clock: Stopwatch,
): (credentials: Credentials) => Promise<Operator> {
  const valid = createExpiringMap<true>(limitKeys, clock);
  return async ({ authorization, scope, beforeVerifying }) => {
    const key = bearerToken(authorization);
    if (key === undefined) throw errors.missingToken();
    const keyHash = hash('sha256', key, 'base64url');
    if (valid.get(keyHash) === undefined) beforeVerifying?.();
    const user = await userOfKey(key);
    if (user === undefined) throw errors.invalidToken('unknown-user');
    valid.set(keyHash, true, knownMs);
    const operator = { userId: user.id, teamId: user.teamId ?? undefined, role: user.role };
    if (scope !== undefined) requirePermission(operator, scope);
    return operator;
  };
}
