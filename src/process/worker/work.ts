/** Builds the part of the service that delivers messages and posts receipts, by hand and top to bottom. */

import { createKeyRepository } from '../../accept/repository.ts';
import type { SimulatorScripts } from '../../connectors/simulators/script.ts';
import { createSimulators } from '../../connectors/simulators/simulators.ts';
import type { DeliveryDependencies } from '../../delivery/deliver.ts';
import { createLanes } from '../../delivery/lanes.ts';
import { givingWay, startLoop } from '../../delivery/loop.ts';
import { pollRound } from '../../delivery/poll.ts';
import { createReportStore, networkReportRound } from '../../delivery/reports/network-reports.ts';
import { createSubmissions } from '../../delivery/reports/part-repository.ts';
import { retryRound } from '../../delivery/retry.ts';
import { releaseRound } from '../../delivery/scheduled/release.ts';
import { createReceive } from '../../inbound/receive.ts';
import { readImports } from '../../products/consent/import-repository.ts';
import { addOptOuts, createFindOptedOut } from '../../products/consent/opt-out-repository.ts';
import { decideByGrants } from '../../products/data/frequency.ts';
import { claimGrants } from '../../products/data/grants-repository.ts';
import { readPortedImports } from '../../products/phone/ported-repository.ts';
import { createConsequences } from '../consequences.ts';
import type { ProcessContext, Running } from '../context.ts';
import type { Wakes } from '../serve.ts';
import { recordNewsIn } from '../template-news.ts';
import { startArchive } from './archive.ts';
import { startClockWatch, startHousekeeping, startUpkeep } from './chores.ts';
import { type Connectors, createConnectors } from './connectors.ts';
import { inboundOf } from './inbound.ts';
import { createFindOpenings } from './quiet-hours.ts';
import { type PostingOptions, startReceipts } from './receipts.ts';
import { createRoutes } from './routes.ts';

/** What surrounds the worker: simulated networks, and the receivers of callbacks. */
export interface WorkerOptions extends PostingOptions {
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
  { scripts, ...receivers }: WorkerOptions,
  intakeBusy: () => boolean,
): Promise<Worker> {
  const { logger, database, events, pace } = context;
  const { knex } = database;
  const receipts = await startReceipts(context, receivers);
  const consequences = createConsequences(context, receipts.poster);
  const submissions = createSubmissions(knex);
  const simulators = createSimulators(knex, scripts);
  const inbound = inboundOf(context, receipts.recorded);
  const connectors = createConnectors(context, {
    simulators,
    report: createReportStore({
      knex,
      logger,
      consequences,
      events,
      onReceipts: receipts.recorded,
      submissionsStored: submissions.stored,
      onStored: () => reports.wake(),
    }),
    partsOf: submissions.partsOf,
    receive: createReceive(inbound),
  });
  const delivery = deliveryOf(context, connectors, { consequences, onReceipts: receipts.recorded });
  const loop = (name: string, everyMs: number, round: () => Promise<boolean>) =>
    startLoop(name, everyMs, logger, round, pace);

  const reports = loop('network reports', 1_000, () => networkReportRound(delivery));
  const connectorLoop = await connectors.start();
  const lanes = createLanes({
    ...delivery,
    // PGlite has one session: a second lot would only wait for the first one.
    lotsPerConnector: database.embedded ? 1 : 2,
    run: (lot) => givingWay(intakeBusy, lot),
    onFree: () => deliver.wake(),
  });
  const deliver = loop('deliver', 500, () => givingWay(intakeBusy, lanes.round));
  const scheduled = loop('scheduled', 1_000, () =>
    givingWay(intakeBusy, () => releaseRound(delivery, deliver.wake)),
  );
  const simulated = loop('simulated networks', 500, simulators.round);
  const poll = loop('poll', 5_000, () => pollRound(delivery));
  const imports = loop('opt-out imports', 2_000, () =>
    givingWay(intakeBusy, () =>
      readImports({
        ...inbound,
        add: (trx, phones, scope) => addOptOuts(trx, phones, scope, context.secrets.hashPhone),
      }),
    ),
  );
  const ported = loop('ported numbers', 2_000, () => givingWay(intakeBusy, () => readPortedImports(inbound)));
  const housekeeping = startHousekeeping({
    ...delivery,
    inbound,
    keys: createKeyRepository(knex),
    retentionDays: context.config.retentionDays,
    hashPhone: context.secrets.hashPhone,
    ledgerKey: context.secrets,
  });
  const retry = loop('quarantine', 2_000, () =>
    retryRound({ ...delivery, recordNews: recordNewsIn(context) }),
  );
  const archive = startArchive(context, intakeBusy);
  const clockWatch = startClockWatch(knex, logger, pace);
  const upkeep = database.embedded ? startUpkeep(knex, context.clock, logger, pace) : undefined;

  /** In the order in which work passes from one to the next. */
  const working = [connectorLoop, housekeeping, retry, imports, ported, scheduled, deliver, poll, simulated];
  return {
    wake: { delivery: deliver.wake, receipts: receipts.recorded },
    settle: async () => {
      for (const each of [...working, reports]) {
        await each.idle();
        await lanes.drain();
      }
      await receipts.settle();
    },
    stop: async () => {
      const talking = [...working, archive, clockWatch, upkeep];
      await Promise.all(talking.map((each) => each?.stop()));
      // A network that does not respond would keep its lane: its connections end meanwhile.
      await Promise.all([lanes.drain(), connectors.close()]);
      await connectors.forget();
      await Promise.all([reports.stop(), receipts.stop()]);
    },
  };
}

/** What all parts of delivery need. */
function deliveryOf(
  context: ProcessContext,
  connectors: Pick<Connectors, 'find' | 'whyNot'>,
  effects: Pick<DeliveryDependencies, 'consequences' | 'onReceipts'>,
): DeliveryDependencies {
  const { config, logger, database, queue, secrets, events } = context;
  const { knex } = database;
  return {
    knex,
    logger,
    queue,
    ...createRoutes(context, connectors),
    connectorNamed: connectors.find,
    gates: {
      data: async (bundles) => decideByGrants(bundles, await claimGrants(knex, bundles, secrets.hashPhone)),
    },
    findOptedOut: createFindOptedOut(knex, secrets.hashPhone),
    findOpenings: createFindOpenings(context),
    events,
    validitySeconds: config.messageValiditySeconds,
    ...effects,
  };
}
