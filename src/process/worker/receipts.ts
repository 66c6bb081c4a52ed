/** Builds the part of the worker that posts receipts. */
import { randomUUID } from 'node:crypto';
import { createClientRepository } from '../../access/repository.ts';
import { startLoop } from '../../delivery/loop.ts';
import { cached } from '../../platform/concurrency/cache.ts';
import { placeOf } from '../../platform/secrets/secrets.ts';
import type { CallbackClient } from '../../receipts/callback/client.ts';
import { signingKeyOf } from '../../receipts/callback/signature.ts';
import type { OwnPoster } from '../../receipts/insert-repository.ts';
import { createPoster, type Poster } from '../../receipts/posting/post.ts';
import { createReceiptRepository } from '../../receipts/posting/repository.ts';
import { defaultScheduleSeconds } from '../../receipts/posting/schedule.ts';
import type { ProcessContext, Running } from '../context.ts';

const signingKeysLifetimeMs = 5_000;
const lookEveryMs = 500;

/** What surrounds this part: the receivers of receipts, and randomness. */
export interface PostingOptions {
  callbacks: CallbackClient;
  /** From 0 to below 1: spreads retries. */
  random?: () => number;
}

export interface Receipts extends Running, Pick<Poster, 'recorded'> {
  /** For those who create receipts in this process. */
  poster: OwnPoster;
  /** Posts everything that is due, and resolves when the outcomes are recorded. */
  settle: () => Promise<void>;
}

export async function startReceipts(
  context: ProcessContext,
  { callbacks: client, random = Math.random }: PostingOptions,
): Promise<Receipts> {
  const { config, clock, logger, database, events, pace } = context;
  const claimedBy = randomUUID();
  const repository = createReceiptRepository(database.knex, claimedBy);
  const poster = createPoster({
    repository: {
      ...repository,
      settle: async (attempts) => {
        const origins = await repository.settle(attempts);
        // One that failed is due again soon.
        pace.touch();
        return origins;
      },
    },
    client,
    signingKeysOf: createSigningKeys(context),
    schedule: config.receiptScheduleSeconds ?? defaultScheduleSeconds,
    clock,
    stopwatch: clock,
    random,
    events,
  });
  const loop = startLoop('receipts', lookEveryMs, logger, poster.round, pace);
  poster.onWork(loop.wake);
  return {
    poster: { claimedBy, leasable: poster.leasable, elapsedMs: clock.elapsedMs },
    recorded: poster.recorded,
    settle: async () => {
      await loop.idle();
      await poster.idle();
    },
    stop: async () => {
      await loop.stop();
      await poster.drain();
      await client.close();
    },
  };
}

/** Of a client, as long as a rotation may take to be seen; undefined when a secret cannot be opened or used. */
export function createSigningKeys({ database: { knex }, secrets, clock, logger }: ProcessContext) {
  const clients = createClientRepository(knex);
  return cached(
    async (clientId: string) => {
      const found = await clients.findClient(clientId);
      try {
        return (found?.signingSecrets ?? []).map((sealed) =>
          signingKeyOf(secrets.decrypt(sealed, placeOf.signingSecret(clientId))),
        );
      } catch (error) {
        logger.error({ clientId, fault: (error as Error).message }, 'receipts cannot be signed');
        return undefined;
      }
    },
    { lifetimeMs: signingKeysLifetimeMs, limitEntries: 10_000, clock },
  );
}
