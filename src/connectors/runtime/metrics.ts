/** Gauges of the condition of connectors, read on each scrape from the states that their processes store. */
import type { Knex } from 'knex';
import { Gauge, type Registry } from 'prom-client';
import { shared } from '../../platform/concurrency/cache.ts';
import { seenConnectors } from './state-repository.ts';

type Seen = Awaited<ReturnType<typeof seenConnectors>>[number];

interface ConnectorGauge {
  name: string;
  help: string;
  /** Beside the connector. */
  labelNames: readonly string[];
  valuesOf: (connector: Seen) => (readonly [labels: Record<string, string>, value: number])[];
}

/** Of all processes together; null where the connector has none. */
const total = (
  count: 'binds' | 'bound' | 'window' | 'inFlight' | 'ratePerSecond',
  name: string,
  help: string,
): ConnectorGauge => ({
  name,
  help,
  labelNames: [],
  valuesOf: ({ [count]: value }) => (value === null ? [] : [[{}, value]]),
});

/** How much of the connector's account each process has. */
const held = (what: 'parts' | 'ratePerSecond', name: string, help: string): ConnectorGauge => ({
  name,
  help,
  labelNames: ['process'],
  valuesOf: ({ holders }) => holders.map((holder) => [{ process: holder.process }, holder[what]]),
});

const gauges: readonly ConnectorGauge[] = [
  {
    name: 'tarishi_connector_condition',
    help: '1 for the current condition of the connector: open, unbound, paused, faulty or away',
    labelNames: ['kind', 'condition', 'reason'],
    valuesOf: ({ kind, condition, reason }) => [[{ kind, condition, reason: labelOf(reason) }, 1]],
  },
  total(
    'binds',
    'tarishi_connector_binds',
    'Connections that the processes of the connector should have together',
  ),
  total('bound', 'tarishi_connector_bound', 'Connections that the connector has'),
  total('window', 'tarishi_connector_window', 'Maximum number of unanswered messages'),
  total('inFlight', 'tarishi_connector_in_flight', 'Current number of unanswered messages'),
  total(
    'ratePerSecond',
    'tarishi_connector_rate_per_second',
    'Maximum number of messages submitted per second',
  ),
  held('parts', 'tarishi_connector_held_parts', 'Parts of the account, such as binds, that the process has'),
  held(
    'ratePerSecond',
    'tarishi_connector_held_rate_per_second',
    'Part of the rate of the account that the process has',
  ),
];

/** Registers the gauges; a scrape while the database is away leaves them as they were. */
export function watchConnectors(registry: Registry, knex: Knex): void {
  // A scrape collects all gauges at once.
  const seen = shared(() => seenConnectors(knex).catch(() => undefined));
  for (const { name, help, labelNames, valuesOf } of gauges)
    new Gauge({
      name,
      help,
      labelNames: ['connector', ...labelNames],
      registers: [registry],
      async collect() {
        const connectors = await seen();
        if (connectors === undefined) return;
        this.reset();
        for (const connector of connectors)
          for (const [labels, value] of valuesOf(connector))
            this.set({ connector: connector.name, ...labels }, value);
      },
    });
}

const longestLabel = 60;

/** A reason may quote what a network wrote: only plain words become a label. */
function labelOf(reason: string | null): string {
  return (reason ?? '')
    .toLowerCase()
    .replace(/[^a-z]+/g, '_')
    .slice(0, longestLabel);
}
