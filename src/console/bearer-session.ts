/** The session of a request that has an access key as its bearer token. */
import { hash } from 'node:crypto';
import { bearerToken } from '../clients/authentication.ts';
import type { User } from '../manage/access/users.ts';
import type { SessionOf } from './page.ts';

/** `userOfKey` finds enabled users only. */
export function createBearerSessions(userOfKey: (key: string) => Promise<User | undefined>): SessionOf {
  return async (ctx) => {
    const key = bearerToken(ctx.get('authorization'));
    const user = key === undefined ? undefined : await userOfKey(key);
    if (key === undefined || user === undefined) return undefined;
    // A page of another origin cannot send the header.
    const formToken = hash('sha256', `form ${key}`, 'base64url');
    return {
      user: { id: user.id, teamId: user.teamId ?? undefined, role: user.role },
      formToken,
      takeForm: async (token) => token === formToken,
      timeZone: 'UTC',
    };
  };
}
