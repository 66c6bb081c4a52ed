/** Opens, finds and ends sessions of the console. The browser has a session's random id, the database only its hash. */
import { hash, randomBytes } from 'node:crypto';
import type { Knex } from 'knex';
import type { User } from '../../manage/access/users.ts';
import { audit } from '../../manage/audit.ts';
import type { Role } from '../../manage/rules.ts';
import type { Clock } from '../../platform/clock.ts';
import {
  deleteSession,
  deleteSessionsOf,
  findSession,
  insertSession,
  type OpenedWith,
  type SignIn,
  signInsOf,
  touchSession,
} from './repository.ts';

/** Who is signed in. */
export interface Session {
  /** As the browser has it. */
  id: string;
  user: { id: string; name: string; teamId: string | undefined; role: Role };
  /** The team that a user of the platform sees the console as; nothing can be changed then. */
  viewingTeam: string | undefined;
  viaSso: boolean;
  /** Such as `Africa/Nairobi`. */
  timeZone: string;
}

/** Where a sign-in comes from. */
export interface Place {
  address: string;
  browser: string;
}

export interface Sessions {
  /** Returns the new session's id, and ends the former session of the browser, which is named by the hash of its id. */
  open: (user: User, openedWith: OpenedWith, place: Place, formerHash: string | undefined) => Promise<string>;
  /** `byPerson`: not a page that asks for itself, which does not keep the session open. */
  find: (id: string, byPerson: boolean) => Promise<Session | undefined>;
  end: (session: Session) => Promise<void>;
  /** Ends all of the user's sessions, here and elsewhere. */
  endAll: (session: Session) => Promise<void>;
  /** Those of the user that have not ended, the newest first; `own`: this one. */
  signIns: (session: Session) => Promise<(SignIn & { own: boolean })[]>;
}

export interface SessionsContext {
  knex: Knex;
  clock: Clock;
  /** For those who have not chosen one. */
  timeZone: string;
}

const idBytes = 32;

export function createSessions({ knex, clock, timeZone }: SessionsContext): Sessions {
  async function end(
    { user }: Pick<Session, 'user'>,
    action: string,
    deleteRows: (trx: Knex.Transaction) => Promise<unknown>,
  ): Promise<void> {
    await knex.transaction(async (trx) => {
      if (await deleteRows(trx)) await auditUser(trx, user, action, null);
    });
  }

  async function auditUser(
    trx: Knex.Transaction,
    { id, teamId }: { id: string; teamId: string | null | undefined },
    action: string,
    after: object | null,
  ): Promise<void> {
    const actor = { kind: 'user' as const, name: id };
    await audit(
      trx,
      { actor, clock },
      { action, noun: 'user', id, team: teamId ?? null, before: null, after },
    );
  }

  return {
    open: async (user, openedWith, { address, browser }, formerHash) => {
      const id = randomBytes(idBytes).toString('base64url');
      const method = openedWith.ssoName === null ? 'access key' : 'OpenID Connect';
      await knex.transaction(async (trx) => {
        if (formerHash !== undefined) await deleteSession(trx, formerHash);
        const idHash = hashOf(id);
        await insertSession(trx, { idHash, userId: user.id, openedWith, address, browser });
        await auditUser(trx, user, 'sign in', { address, method });
      });
      return id;
    },

    find: async (id, byPerson) => {
      const idHash = hashOf(id);
      const found = await findSession(knex, idHash);
      if (found === undefined) return undefined;
      if (byPerson && found.untouched) await touchSession(knex, idHash);
      return {
        id,
        user: {
          id: found.userId,
          name: found.userName,
          teamId: found.teamId ?? undefined,
          role: found.role,
        },
        viewingTeam: found.viewedTeam ?? undefined,
        viaSso: found.ssoName !== null,
        timeZone: found.timeZone ?? timeZone,
      };
    },

    end: (session) => end(session, 'sign out', (trx) => deleteSession(trx, hashOf(session.id))),

    endAll: (session) => end(session, 'sign out everywhere', (trx) => deleteSessionsOf(trx, session.user.id)),

    signIns: async (session) => {
      const own = hashOf(session.id);
      return (await signInsOf(knex, session.user.id)).map((one) => ({ ...one, own: one.idHash === own }));
    },
  };
}

/** Enough for a random id of this length, which nobody can guess. */
export function hashOf(id: string): string {
  return hash('sha256', id, 'base64url');
}
