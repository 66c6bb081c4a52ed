/** Gauges of the condition of connectors, read on each scrape from the states that their processes store. */
import type { Knex } from 'knex';
import { Gauge, type Registry } from 'prom-client';
import { shared } from '../../platform/concurrency/cache.ts';
import { seenConnectors } from './state-repository.ts';

const counts = {
  binds: {
    name: 'tarishi_connector_binds',
    help: 'Connections that the processes of the connector should have together',
  },
  bound: { name: 'tarishi_connector_bound', help: 'Connections that the connector has' },
  window: {
    name: 'tarishi_connector_window',
    help: 'Maximum number of unanswered messages',
  },
  inFlight: {
    name: 'tarishi_connector_in_flight',
    help: 'Current number of unanswered messages',
  },
  ratePerSecond: {
    name: 'tarishi_connector_rate_per_second',
    help: 'Maximum number of messages submitted per second',
  },
} as const;

/** Registers the gauges; a scrape while the database is away leaves them as they were. */
export function watchConnectors(registry: Registry, knex: Knex): void {
  const registers = [registry];
  // A scrape collects all gauges at once.
  const seen = shared(() => seenConnectors(knex).catch(() => undefined));
  new Gauge({
    name: 'tarishi_connector_condition',
    help: '1 for the current condition of the connector: open, unbound, paused, faulty or away',
    labelNames: ['connector', 'kind', 'condition', 'reason'],
    registers,
    async collect() {
      const connectors = await seen();
      if (connectors === undefined) return;
      this.reset();
      for (const { name, kind, condition, reason } of connectors)
        this.set({ connector: name, kind, condition, reason: labelOf(reason) }, 1);
    },
  });
  for (const [what, { name, help }] of Object.entries(held))
    new Gauge({
      name,
      help,
      labelNames: ['connector', 'process'],
      registers,
      async collect() {
        const connectors = await seen();
        if (connectors === undefined) return;
        this.reset();
        for (const { name: connector, holders } of connectors)
          for (const holder of holders)
            this.set({ connector, process: holder.process }, holder[what as keyof typeof held]);
      },
    });
  for (const [count, { name, help }] of Object.entries(counts))
    new Gauge({
      name,
      help,
      labelNames: ['connector'],
      registers,
      async collect() {
        const connectors = await seen();
        if (connectors === undefined) return;
        this.reset();
        for (const connector of connectors) {
          const value = connector[count as keyof typeof counts];
          if (value !== null) this.set({ connector: connector.name }, value);
        }
      },
    });
}

/** How much of its account a process has, by what. */
const held = {
  parts: {
    name: 'tarishi_connector_held_parts',
    help: 'Parts of the account, such as binds, that the process has',
  },
  ratePerSecond: {
    name: 'tarishi_connector_held_rate_per_second',
    help: 'Part of the rate of the account that the process has',
  },
} as const;

const longestLabel = 60;

/** A reason may quote what a network wrote: only plain words become a label. */
function labelOf(reason: string | null): string {
  return (reason ?? '')
    .toLowerCase()
    .replace(/[^a-z]+/g, '_')
    .slice(0, longestLabel);
}
