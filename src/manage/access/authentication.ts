/** Authenticates a request to the management API: access key, then role. */
import { hash } from 'node:crypto';
import { bearerToken, type Credentials } from '../../access/authentication.ts';
import type { Stopwatch } from '../../platform/clock.ts';
import { createExpiringMap } from '../../platform/concurrency/expiring-map.ts';
import { errors } from '../../platform/errors.ts';
import { type Operator, requirePermission } from './permissions.ts';
import type { User } from './users.ts';

const limitKeys = 1_000;
const knownMs = 60_000;

/**
 * `userOfKey` finds enabled users only. Each request asks anew: a key that is withdrawn ends at once. A key that
 * was valid in the last minute passes while others from the same address are rejected for too many wrong ones.
 * `admitCall` throws while the user may not call.
 */
export function createUserAuthentication(
  userOfKey: (key: string) => Promise<User | undefined>,
  admitCall: (userId: string) => void,
  clock: Stopwatch,
): (credentials: Credentials) => Promise<Operator> {
  const valid = createExpiringMap<string>(limitKeys, clock);
  return async ({ authorization, scope, beforeVerifying }) => {
    const key = bearerToken(authorization);
    if (key === undefined) throw errors.missingToken();
    const keyHash = hash('sha256', key, 'base64url');
    const known = valid.get(keyHash);
    // Before the database is asked, where that is possible.
    if (known === undefined) beforeVerifying?.();
    else admitCall(known);
    const user = await userOfKey(key);
    if (user === undefined) throw errors.invalidToken('unknown-user');
    if (known === undefined) admitCall(user.id);
    valid.set(keyHash, user.id, knownMs);
    const operator = {
      kind: 'user' as const,
      userId: user.id,
      teamId: user.teamId ?? undefined,
      role: user.role,
    };
    if (scope !== undefined) requirePermission(operator, scope);
    return operator;
  };
}
