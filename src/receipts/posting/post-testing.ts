/** What the tests of posting share: a poster on a real database, endpoints that a test decides on, and virtual time. */
import { randomUUID } from 'node:crypto';
import type { Database } from '../../db/knex.ts';
import { originKeyOf } from '../callback/callback-url.ts';
import type { CallbackClient, PostOutcome } from '../callback/client.ts';
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
  posts: Post[];
  /** The client's signing secrets; undefined: they cannot be decrypted. */
  secrets: string[] | undefined;
  /** Receipts that were not posted, for want of a secret. */
  unsigned: string[];
  /** What endpoints answer; one whose promise stays open never does. */
  endpoint: (post: Post) => PostOutcome | Promise<PostOutcome>;
  insert: (count: number, origin: string, dueSeconds?: number, teamId?: string) => Promise<void>;
  /** One round, and the end of every post that was answered in it. */
  round: () => Promise<void>;
  /** Moves the poster's clock and, by setting its rows back, the database's. */
  pass: (seconds: number) => Promise<void>;
}

export const startMs = Date.UTC(2030, 0, 1);
export const fine: PostOutcome = { kind: 'answered', status: 204 };

/** Empties the tables of receipts. */
export async function createPosterBed({ knex }: Database): Promise<PosterBed> {
  await knex.raw('truncate receipts, receipt_origins');
  let nowMs = startMs;
  // Answered and not settled yet, and who waits for that.
  let open = 0;
  let settled = () => {};

  /** The network: what is before it is real. */
  const client: CallbackClient = {
    post: async (url, headers) => {
      const post = { url, headers, atSeconds: (nowMs - startMs) / 1000 };
      bed.posts.push(post);
      const outcome = await bed.endpoint(post);
      open += 1;
      return outcome;
    },
    close: async () => {},
  };
  const bed: PosterBed = {
    poster: createPoster({
      repository: createReceiptRepository(knex),
      client,
      signingSecretsOf: async () => bed.secrets,
      schedule: defaultScheduleSeconds,
      clock: { now: () => nowMs },
      events: {
        receiptAttempted: () => {},
        itemQuarantined: () => {},
        receiptUnsigned: (id) => {
          bed.unsigned.push(id);
          open += 1;
        },
      },
    }),
    posts: [],
    secrets: ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'],
    unsigned: [],
    endpoint: () => fine,

    insert: async (count, origin, dueSeconds = 10, teamId = 'demo') => {
      await knex.raw(
        `insert into receipts (id, request_id, message_id, team_id, client_id, url, origin_key, body,
           next_attempt_at)
         select gen_random_uuid(), :requestId, n, :teamId, 'client of ' || :teamId, :origin || '/', :originKey, '{}',
           now() - :dueSeconds * interval '1 second'
         from generate_series(1, :count::integer) as n`,
        { requestId: randomUUID(), teamId, origin, originKey: originKeyOf(origin), count, dueSeconds },
      );
    },

    round: async () => {
      await bed.poster.round();
      await new Promise(setImmediate);
      while (open > 0)
        await new Promise<void>((resolve) => {
          settled = resolve;
        });
    },

    pass: async (seconds) => {
      nowMs += seconds * 1000;
      await knex.raw(
        `update receipts set next_attempt_at = next_attempt_at - ? * interval '1 second' where state = 'Pending'`,
        [seconds],
      );
      await knex.raw(`update receipt_origins set parked_until = parked_until - ? * interval '1 second'`, [
        seconds,
      ]);
    },
  };
  bed.poster.onSettled(() => {
    open -= 1;
    settled();
  });
  return bed;
}
