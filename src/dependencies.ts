/** Builds the service by hand, top to bottom: the database first, what stands on it after. */

import { randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import { createHandlers } from '../handlers/operations.ts';
import { createBatcher } from './batch.ts';
import { cached } from './cache.ts';
import { createAuthentication } from './clients/authentication.ts';
import { grantToken } from './clients/grant.ts';
import { loadKeys } from './clients/keys.ts';
import { createClientRepository } from './clients/repository.ts';
import { createSecrets, type Secrets } from './clients/secrets.ts';
import { createTokens } from './clients/tokens.ts';
import type { Clock } from './clock.ts';
import type { Config } from './config.ts';
import { createConnectorRegistry } from './connectors/registry.ts';
import type { Database } from './db/knex.ts';
import { deliverRound } from './delivery/deliver.ts';
import { givingWay, startLoop } from './delivery/loop.ts';
import type { Queue } from './delivery/queue.ts';
import { reportRound } from './delivery/report.ts';
import type { Events } from './events.ts';
import { startHousekeeping } from './housekeeping.ts';
import { createContract } from './http/contract.ts';
import { loadDocument } from './http/document.ts';
import { createOperatorRoutes } from './http/operator-routes.ts';
import { startServer } from './http/server.ts';
import { commitPlans, type Outcome } from './intake/commit.ts';
import { createIntake } from './intake/intake.ts';
import type { Plan } from './intake/plan.ts';
import { createKeyRepository } from './intake/repository.ts';
import { createLimiter } from './limits/limiter.ts';
import { createSharedWindows } from './limits/repository.ts';
import { channelFinder } from './phone/channels.ts';
import { type CountryCode, createPhoneParser } from './phone/parse.ts';
import { loadChannels } from './phone/repository.ts';
import { createCallbackClient } from './receipts/client.ts';
import { createDestinations } from './receipts/destination.ts';
import { createPoster } from './receipts/post.ts';
import { createReceiptRepository } from './receipts/repository.ts';
import { defaultScheduleSeconds } from './receipts/schedule.ts';
import { createAcceptSms } from './sms/accept.ts';
import { smsReceipt } from './sms/receipt.ts';
import { loadSmsFacts } from './sms/repository.ts';

export interface Foundation {
  config: Config;
  /** Where clients reach the service; issuer and audience of its tokens. */
  publicUrl: string;
  clock: Clock;
  logger: Logger;
  database: Database;
  queue: Queue;
  secrets: Secrets;
  registry: Registry;
  events: Events;
}

/** A part of the service that runs; `stop` ends it in order. */
export interface Running {
  stop: () => Promise<void>;
}

/** Facts may be this old when a request is judged by them. */
const factsLifetimeMs = 2_000;
const signingSecretsLifetimeMs = 5_000;

/** The key all other secrets hang on: from the settings, or made once in the data directory. */
export function openSecrets(config: Config): Secrets {
  if (config.secretKey !== undefined) return createSecrets(Buffer.from(config.secretKey, 'base64'));
  const file = join(config.dataDirectory, 'secret.key');
  try {
    // wx: whoever comes second reads the first one's key.
    writeFileSync(file, randomBytes(32).toString('base64'), { mode: 0o600, flag: 'wx' });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  return createSecrets(Buffer.from(readFileSync(file, 'utf8'), 'base64'));
}

/** Starts the part that answers HTTP. `wakeDelivery` is called when messages were queued. */
export async function startApi(
  foundation: Foundation,
  wakeDelivery: () => void,
): Promise<Running & { busy: () => boolean }> {
  const { config, publicUrl, clock, logger, database, queue, secrets, registry, events } = foundation;
  const { knex } = database;
  const document = loadDocument();

  const clients = createClientRepository(knex);
  const keys = await loadKeys(clients, secrets, clock);
  const tokens = createTokens({ keys, issuer: publicUrl, audience: publicUrl, clock });
  const authentication = createAuthentication({ tokens, findClient: clients.findClient, clock });

  const limiter = createLimiter(
    { sendSms: { perSecond: config.rateLimitPerSecond, noun: 'messages' } },
    clock,
    database.embedded ? undefined : createSharedWindows(knex),
  );
  const batcher = createBatcher<Plan, Outcome>(
    (plans) => commitPlans(knex, plans, (jobs) => queue.insertion('deliver', jobs)),
    (plan) => plan.messages.length,
    // PGlite has one session; its thread should come up for air between batches.
    database.embedded
      ? { lanes: 1, maxItems: 128, maxWeight: 800 }
      : { lanes: 2, maxItems: 512, maxWeight: 2_000 },
  );
  const intake = createIntake(createKeyRepository(knex), async (plan) => {
    const outcome = await batcher.submit(plan);
    if (outcome === 'accepted') {
      events.requestAccepted(plan);
      wakeDelivery();
    }
    return outcome;
  });

  const acceptSms = createAcceptSms({
    loadFacts: cached(
      (teamId: string, serviceId: string, templateId: string | undefined) =>
        loadSmsFacts(knex, teamId, serviceId, templateId),
      {
        lifetimeMs: factsLifetimeMs,
        limitEntries: 10_000,
        clock,
        // What was just made should be found at once.
        keep: (facts) => facts.service !== undefined && facts.accountId !== undefined,
      },
    ),
    loadChannels: cached(
      async () => {
        const channels = await loadChannels(knex);
        return { names: channels.map(({ name }) => name), find: channelFinder(channels) };
      },
      { lifetimeMs: factsLifetimeMs, limitEntries: 1, clock },
    ),
    parsePhone: createPhoneParser(config.defaultRegion as CountryCode),
    limiter,
    intake,
  });

  const contract = await createContract({
    document,
    handlers: createHandlers({
      acceptSms,
      grant: (request) => grantToken(request, { findClient: clients.findClient, secrets, tokens }),
    }),
    authentication,
    trustedProxyHops: config.trustedProxyHops,
    checkedAnswers: config.checkedAnswers,
  });

  let stopping = false;
  const operatorRoutes = createOperatorRoutes({
    registry,
    keys,
    issuer: publicUrl,
    document,
    checkReady: async () => {
      if (stopping) throw new Error('stopping');
      await knex.raw('select 1').timeout(2_000);
    },
  });
  const server = await startServer({ logger, registry, events, operatorRoutes, contract }, config);
  return {
    busy: batcher.busy,
    stop: async () => {
      stopping = true;
      await server.stop({ drainMs: config.drainDelayMs, graceMs: config.shutdownGraceMs });
    },
  };
}

/**
 * Starts the part that delivers messages and posts receipts. While `intakeBusy` says that requests wait for the
 * same database, delivery takes a tenth of its time.
 */
export async function startWorker(
  foundation: Foundation,
  intakeBusy: () => boolean,
): Promise<Running & { wake: () => void }> {
  const { config, clock, logger, database, queue, secrets, events } = foundation;
  const { knex } = database;
  const connectors = createConnectorRegistry();
  const clients = createClientRepository(knex);

  const destinations = createDestinations({ allowLoopback: config.allowLoopbackCallbacks });
  const client = createCallbackClient({ destinations });
  const receipts = createReceiptRepository(knex);
  // What a killed process had in hand: the embedded database has no other one that could be at it.
  if (database.embedded) await receipts.reclaim();
  const poster = createPoster({
    repository: receipts,
    client,
    signingSecretsOf: cached(
      async (clientId: string) =>
        ((await clients.findClient(clientId))?.signingSecrets ?? []).map((sealed) => secrets.decrypt(sealed)),
      { lifetimeMs: signingSecretsLifetimeMs, limitEntries: 10_000, clock },
    ),
    schedule: config.receiptScheduleSeconds ?? defaultScheduleSeconds,
    clock,
    events,
  });
  const receiptLoop = startLoop('receipts', 500, logger, poster.round);
  poster.onSettled(receiptLoop.wake);

  const channelConnectors = cached(
    async () => new Map((await loadChannels(knex)).map(({ name, connector }) => [name, connector])),
    { lifetimeMs: factsLifetimeMs, limitEntries: 1, clock },
  );
  const delivery = {
    knex,
    queue,
    connectorOf: async (channel: string) => connectors((await channelConnectors()).get(channel) ?? ''),
    renderReceipt: smsReceipt,
    events,
    validitySeconds: config.messageValiditySeconds,
    onReceipts: receiptLoop.wake,
  };
  const deliverLoop = startLoop('deliver', 500, logger, () =>
    givingWay(intakeBusy, () => deliverRound(delivery)),
  );
  const reportLoop = startLoop('report', 1_000, logger, () => reportRound(delivery));
  const housekeeping = startHousekeeping({
    knex,
    embedded: database.embedded,
    keys: createKeyRepository(knex),
    renderReceipt: smsReceipt,
    events,
    logger,
  });

  return {
    wake: deliverLoop.wake,
    stop: async () => {
      await Promise.all([deliverLoop.stop(), reportLoop.stop(), housekeeping.stop(), receiptLoop.stop()]);
      await poster.drain();
      await client.close();
    },
  };
}
