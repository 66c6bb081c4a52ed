/** What the tests of posting share: a poster on a real database, endpoints that a test decides on, and virtual time. */
import { type KeyObject, randomUUID } from 'node:crypto';
import { beforeEach } from '@jest/globals';
import type { Database } from '../../platform/db/knex.ts';
import { clearTables } from '../../platform/db/testing.ts';
import type { CallbackClient, PostOutcome } from '../callback/client.ts';
import { signingKeyOf } from '../callback/signature.ts';
import type { OwnPoster } from '../insert-repository.ts';
import { insertDue } from '../rows-testing.ts';
import { createPoster, type Poster } from './post.ts';
import { createReceiptRepository } from './repository.ts';
import { defaultScheduleSeconds } from './schedule.ts';

export interface Post {
  url: string;
  headers: Readonly<Record<string, string>>;
  /** Since the start of the test. */
  atSeconds: number;
}

export interface PosterBed {
  poster: Poster;
  /** The poster, as those see it who create receipts. */
  own: OwnPoster;
  posts: Post[];
  /** The client's signing secrets; undefined: they cannot be decrypted. */
  secrets: string[] | undefined;
  /** Receipts that were not posted because there was no secret. */
  unsigned: string[];
  /** What operators were told about endpoints. */
  endpointChanges: string[];
  /** Responses of endpoints; one whose promise stays open never responds. */
  endpoint: (post: Post) => PostOutcome | Promise<PostOutcome>;
  /** Due receipts, as many for each origin. */
  insert: (
    count: number,
    origins: string | readonly string[],
    dueSeconds?: number,
    teamId?: string,
  ) => Promise<void>;
  /** One round, and the end of every post that got a response in it. */
  round: () => Promise<void>;
  /** The end of every post that got a response. */
  settled: () => Promise<void>;
  /** Moves the poster's clock and, by setting its rows back, the database's. */
  pass: (seconds: number) => Promise<void>;
}

export const startMs = Date.UTC(2030, 0, 1);
export const fine: PostOutcome = { kind: 'answered', status: 204 };

/** For all tests of a file: another one before each, with no receipts. */
export function posterBed(database: () => Database): PosterBed {
  const bed = {} as PosterBed;
  beforeEach(() => renew(bed, database()));
  return bed;
}

async function renew(bed: PosterBed, { knex }: Database): Promise<void> {
  await clearTables(knex, 'receipts, receipt_lots, receipt_origins');
  let nowMs = startMs;
  const claimedBy = randomUUID();

  /** The network: what is before it is real. */
  const client: CallbackClient = {
    post: async (url, headers) => {
      const post = { url, headers, atSeconds: (nowMs - startMs) / 1000 };
      bed.posts.push(post);
      return bed.endpoint(post);
    },
    close: async () => {},
  };
  Object.assign(bed, {
    poster: createPoster({
      repository: createReceiptRepository(knex, claimedBy),
      client,
      signingKeysOf: async () => bed.secrets && keysOf(bed.secrets),
      schedule: defaultScheduleSeconds,
      clock: { now: () => nowMs },
      stopwatch: { elapsedMs: () => nowMs },
      events: {
        receiptAttempted: () => {},
        itemQuarantined: () => {},
        receiptUnsigned: (id) => bed.unsigned.push(id),
        endpointChanged: (change) => bed.endpointChanges.push(change),
      },
    }),
    own: {
      claimedBy,
      leasable: (origin) => bed.poster.leasable(origin),
      elapsedMs: () => nowMs,
    },
    posts: [],
    secrets: ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'],
    unsigned: [],
    endpointChanges: [],
    endpoint: () => fine,

    insert: async (count, origins, dueSeconds, teamId = 'demo') => {
      await insertDue(knex, [origins].flat(), { count, teamId, ...(dueSeconds && { dueSeconds }) });
    },

    round: async () => {
      await bed.poster.round();
      await bed.settled();
    },

    settled: async () => {
      await new Promise(setImmediate);
      await bed.poster.settled();
    },

    pass: async (seconds) => {
      nowMs += seconds * 1000;
      await knex.raw(
        `update receipts set next_attempt_at = next_attempt_at - ? * interval '1 second' where state = 'Waiting'`,
        [seconds],
      );
      await knex.raw(`update receipt_lots set leased_until = leased_until - ? * interval '1 second'`, [
        seconds,
      ]);
      await knex.raw(`update receipt_origins set parked_until = parked_until - ? * interval '1 second'`, [
        seconds,
      ]);
    },
  } satisfies PosterBed);
}

/** Undefined: one of them cannot sign. */
function keysOf(secrets: readonly string[]): KeyObject[] | undefined {
  try {
    return secrets.map(signingKeyOf);
  } catch {
    return undefined;
  }
}
