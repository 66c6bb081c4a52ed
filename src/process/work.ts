/** Builds the part of the service that delivers messages and posts receipts, by hand and top to bottom. */
import { randomUUID } from 'node:crypto';
import { loadNumberConnectors } from '../chatapp/repository.ts';
import { recordApproval, recordApprovals } from '../chatapp/templates/approval-repository.ts';
import { cached } from '../concurrency/cache.ts';
import { type ConnectorRegistry, createConnectorRegistry } from '../connectors/runtime/registry.ts';
import { createConnectorRepository } from '../connectors/runtime/repository.ts';
import { createStateRepository } from '../connectors/runtime/state-repository.ts';
import type { SimulatorScripts } from '../connectors/simulators/script.ts';
import { createSimulators } from '../connectors/simulators/simulators.ts';
import { startSimulatorSmsc } from '../connectors/simulators/smsc-simulator.ts';
import { decideByGrants } from '../data/frequency.ts';
import { claimGrants } from '../data/grants-repository.ts';
import type { Gate, HandOverDependencies } from '../delivery/hand-over.ts';
import { createLanes } from '../delivery/lanes.ts';
import { givingWay, startLoop } from '../delivery/loop.ts';
import { pollRound } from '../delivery/poll.ts';
import { createReportStore, networkReportRound } from '../delivery/reports/network-reports.ts';
import { createSubmissions } from '../delivery/reports/part-repository.ts';
import { retryRound } from '../delivery/retry.ts';
import type { Product } from '../intake/plan.ts';
import { createKeyRepository } from '../intake/repository.ts';
import { loadChannels } from '../phone/repository.ts';
import { products } from '../products.ts';
import { startHousekeeping, startUpkeep } from './chores.ts';
import { createConsequences } from './consequences.ts';
import { connectorSecretsIn, factsLifetimeMs, type ProcessContext, type Running } from './context.ts';
import { type ReceiptSurroundings, startReceipts } from './receipts.ts';
import type { Wakes } from './serve.ts';

/** What is outside of the worker: networks that are simulated, and the receivers of callbacks. */
export interface Surroundings extends ReceiptSurroundings {
  scripts: SimulatorScripts;
}

export interface Worker extends Running {
  wake: Wakes;
  /** Does everything that is due, and what follows from it at once. */
  settle: () => Promise<void>;
}

/**
 * Starts the part that delivers messages and posts receipts. While `intakeBusy` says that requests wait for the
 * same database, delivery takes a twentieth of its time.
 */
export async function startWorker(
  context: ProcessContext,
  { scripts, ...receivers }: Surroundings,
  intakeBusy: () => boolean,
): Promise<Worker> {
  const { config, clock, logger, database, queue, secrets, events, pace } = context;
  const { knex } = database;
  const receipts = await startReceipts(context, receivers);
  const consequences = { ...createConsequences(context), firstAttempts: receipts };
  const submissions = createSubmissions(knex);
  const frequencyGate: Gate = async (bundles) =>
    decideByGrants(bundles, await claimGrants(knex, bundles, secrets.hashPhone));
  const simulators = createSimulators(knex, scripts);
  const connectors = createConnectorRegistry({
    repository: createConnectorRepository(knex),
    openSecrets: connectorSecretsIn(secrets),
    openSimulator: simulators.open,
    report: createReportStore({
      knex,
      logger,
      consequences,
      events,
      onReceipts: receipts.recorded,
      submissionsStored: submissions.stored,
      onStored: () => networkReportLoop.wake(),
    }),
    partsOf: submissions.partsOf,
    templates: (name, news) => recordApprovals(knex, events, name, news),
    onIgnored: events.networkValueIgnored,
    clock,
    logger,
  });
  const delivery = {
    knex,
    logger,
    queue,
    routeOf: createRoutes(context, connectors.find),
    connectorNamed: connectors.find,
    gates: { data: frequencyGate },
    consequences,
    events,
    validitySeconds: config.messageValiditySeconds,
    onReceipts: receipts.recorded,
  };
  const networkReportLoop = startLoop(
    'network reports',
    1_000,
    logger,
    () => networkReportRound(delivery),
    pace,
  );
  const smsc =
    config.simulatorSmppPort === undefined
      ? undefined
      : await startSimulatorSmsc(
          config.simulatorSmppHost ?? '127.0.0.1',
          config.simulatorSmppPort,
          logger,
          config.simulatorSmppPassword,
        );
  await connectors.refresh();
  const states = createStateRepository(knex, randomUUID());
  const connectorLoop = startLoop(
    'connectors',
    factsLifetimeMs,
    logger,
    async () => {
      await connectors.refresh();
      await states.save(connectors.statuses());
      return false;
    },
    pace,
  );
  const lanes = createLanes({
    ...delivery,
    // PGlite has one session: a second lot would only wait for the first one.
    lotsPerConnector: database.embedded ? 1 : 2,
    run: (lot) => givingWay(intakeBusy, lot),
    onFree: () => deliverLoop.wake(),
  });
  const deliverLoop = startLoop('deliver', 500, logger, () => givingWay(intakeBusy, lanes.round), pace);
  const simulatorLoop = startLoop('simulated networks', 500, logger, simulators.round, pace);
  const pollLoop = startLoop('poll', 5_000, logger, () => pollRound(delivery), pace);
  const housekeeping = startHousekeeping({
    ...delivery,
    keys: createKeyRepository(knex),
    retentionDays: config.retentionDays,
    hashPhone: secrets.hashPhone,
  });
  const retryLoop = startLoop(
    'quarantine',
    2_000,
    logger,
    () => retryRound({ ...delivery, recordNews: recordApproval }),
    pace,
  );
  const upkeep = database.embedded ? startUpkeep(knex, clock, logger, pace) : undefined;

  /** In the order in which work passes from one to the next. */
  const working = [
    connectorLoop,
    housekeeping,
    retryLoop,
    deliverLoop,
    pollLoop,
    simulatorLoop,
    networkReportLoop,
  ];
  return {
    wake: { delivery: deliverLoop.wake, receipts: () => receipts.recorded([]) },
    settle: async () => {
      for (const loop of working) {
        await loop.idle();
        await lanes.drain();
      }
      await receipts.settle();
    },
    stop: async () => {
      const talking = [deliverLoop, pollLoop, simulatorLoop, connectorLoop, housekeeping, retryLoop, upkeep];
      await Promise.all(talking.map((loop) => loop?.stop()));
      // A network that does not answer would keep its lane: its connections end meanwhile.
      await Promise.all([lanes.drain(), connectors.close()]);
      await states.forget();
      await smsc?.close();
      await Promise.all([networkReportLoop.stop(), receipts.stop()]);
    },
  };
}

/** Where messages go now; `find` knows the connectors that take some. */
function createRoutes(
  { database: { knex }, clock, logger }: ProcessContext,
  find: ConnectorRegistry['find'],
): HandOverDependencies['routeOf'] {
  const lifetime = { lifetimeMs: factsLifetimeMs, limitEntries: 1, clock };
  const channels = cached(
    async () => new Map((await loadChannels(knex)).map((channel) => [channel.name, channel])),
    lifetime,
  );
  const numberConnectors = cached(() => loadNumberConnectors(knex), lifetime);
  /** The name of the connector that takes a product's messages for a channel. */
  const connectorNames: { [P in Product]: (channel: string) => Promise<string | undefined> } = {
    sms: async (channel) => (await channels()).get(channel)?.connector,
    data: async (channel) => (await channels()).get(channel)?.bundleConnector,
    chatapp: async (phoneNumberId) => (await numberConnectors()).get(phoneNumberId),
  };
  /** Channels that were said to have no connector. */
  const said = new Set<string>();
  return async (product, channel) => {
    // What waits in a table may name a product of another version.
    const name = await connectorNames[product]?.(channel);
    const lane = `${product}/${channel}`;
    if (name !== undefined) said.delete(lane);
    else if (!said.has(lane)) {
      said.add(lane);
      logger.warn(
        { product, channel },
        'messages wait until they expire: the channel has no connector for them',
      );
    }
    const connector = name === undefined ? undefined : find(name);
    if (name === undefined || connector === undefined) return undefined;
    return products[product].queried && connector.ask === undefined ? undefined : { name, connector };
  };
}
