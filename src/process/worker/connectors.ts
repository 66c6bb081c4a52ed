/** Opens the connectors of a worker, follows changes of their settings and stores their condition. */
import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { pid } from 'node:process';
import { createLeases } from '../../connectors/runtime/lease-repository.ts';
import { type ConnectorRegistry, createConnectorRegistry } from '../../connectors/runtime/registry.ts';
import { createConnectorRepository } from '../../connectors/runtime/repository.ts';
import { createStateRepository } from '../../connectors/runtime/state-repository.ts';
import type { Simulators } from '../../connectors/simulators/simulators.ts';
import { type Loop, startLoop } from '../../delivery/loop.ts';
import type { createReportStore } from '../../delivery/reports/network-reports.ts';
import type { createSubmissions } from '../../delivery/reports/part-repository.ts';
import type { ReceiveMessages } from '../../inbound/receive.ts';
import { whenReachable } from '../../platform/db/reach.ts';
import { connectorSecretsIn, factsLifetimeMs, type ProcessContext } from '../context.ts';
import { templateNewsIn } from '../template-news.ts';

interface ConnectorDependencies {
  simulators: Pick<Simulators, 'open'>;
  /** Records what networks report. */
  report: ReturnType<typeof createReportStore>;
  partsOf: ReturnType<typeof createSubmissions>['partsOf'];
  /** Stores what phones send. */
  receive: ReceiveMessages;
}

export interface Connectors extends Pick<ConnectorRegistry, 'find' | 'whyNot' | 'close'> {
  /** Opens all; from then on its loop opens, reopens and closes what changes, and shares accounts with other processes. */
  start: () => Promise<Loop>;
  /** Deletes the conditions that this worker stored, and lets go of its leases. */
  forget: () => Promise<void>;
}

export function createConnectors(
  context: ProcessContext,
  { simulators, report, partsOf, receive }: ConnectorDependencies,
): Connectors {
  const { database, secrets, events, clock, logger, pace, config } = context;
  const { knex } = database;
  const process = randomUUID();
  const leaseSeconds = config.connectorLeaseSeconds;
  const leases = database.embedded
    ? undefined
    : createLeases(knex, { process, holder: `${hostname()}:${pid}`, leaseSeconds });
  const registry = createConnectorRegistry({
    repository: createConnectorRepository(knex),
    openSecrets: connectorSecretsIn(secrets),
    openSimulator: simulators.open,
    leases,
    report,
    partsOf,
    templates: templateNewsIn(context),
    onIgnored: events.networkValueIgnored,
    receive,
    clock,
    logger,
  });
  const states = createStateRepository(knex, process);
  const round = async () => {
    await registry.refresh();
    await states.save(registry.statuses());
    return false;
  };
  return {
    find: registry.find,
    whyNot: registry.whyNot,
    close: registry.close,
    forget: async () => {
      await leases?.releaseAll();
      await states.forget();
    },
    start: async () => {
      await whenReachable(logger, registry.refresh);
      return startLoop('connectors', factsLifetimeMs, logger, round, pace);
    },
  };
}
