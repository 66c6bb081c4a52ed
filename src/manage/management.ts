/** What the management functions need, and how each of them makes its change: in one transaction, with an audit entry. */
import type { Knex } from 'knex';
import type { Cancel } from '../delivery/cancel/cancel.ts';
import type { Clock } from '../platform/clock.ts';
import type { Secrets } from '../platform/secrets/secrets.ts';

/** Who makes a change, as the audit log names them. */
export interface Actor {
  kind: 'command line' | 'user' | 'client';
  name: string;
}

export interface Management {
  knex: Knex;
  clock: Clock;
  actor: Actor;
  /** The caller sees and changes only what this team owns; undefined: everything. */
  team: string | undefined;
  /** The issuers besides this service whose tokens are accepted. */
  trustedIssuers: readonly string[];
  /** Senders that teams ask for need no review (SENDERS=open). */
  sendersOpen?: boolean;
  /** The scopes that clients may have. They come from the OpenAPI document. */
  scopes: () => readonly string[];
  /**
   * Rejects if the key does not belong to the database. It reads from the database: call it before a transaction,
   * because the embedded database has one session.
   */
  secrets: () => Promise<Secrets>;
}

/** What the operations of the management API have besides. */
export interface ServedManagement extends Management {
  /** Cancels what is not submitted yet of a request. */
  cancel: Cancel;
}

/** A part of a list, in the order of ids. */
export interface Page {
  /** Begin after this id. */
  after?: string | undefined;
  /** At most this many; all if omitted. */
  limit?: number | undefined;
}
