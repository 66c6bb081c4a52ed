/** Opens the connectors of a worker, follows changes of their settings and stores their condition. */
import { randomUUID } from 'node:crypto';
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

export interface Connectors extends Pick<ConnectorRegistry, 'find' | 'close'> {
  /** Opens all; from then on its loop opens, reopens and closes what changes. */
  start: () => Promise<Loop>;
  /** Deletes the conditions that this worker stored. */
  forget: () => Promise<void>;
}

export function createConnectors(
  context: ProcessContext,
  { simulators, report, partsOf, receive }: ConnectorDependencies,
): Connectors {
  const { database, secrets, events, clock, logger, pace } = context;
  const { knex } = database;
  const registry = createConnectorRegistry({
    repository: createConnectorRepository(knex),
    openSecrets: connectorSecretsIn(secrets),
    openSimulator: simulators.open,
    report,
    partsOf,
    templates: templateNewsIn(context),
    onIgnored: events.networkValueIgnored,
    receive,
    clock,
    logger,
  });
  const states = createStateRepository(knex, randomUUID());
  const round = async () => {
    await registry.refresh();
    await states.save(registry.statuses());
    return false;
  };
  return {
    find: registry.find,
    close: registry.close,
    forget: states.forget,
    start: async () => {
      await whenReachable(logger, registry.refresh);
      return startLoop('connectors', factsLifetimeMs, logger, round, pace);
    },
  };
}
