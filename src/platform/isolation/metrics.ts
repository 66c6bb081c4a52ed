/** The gauge of items in quarantine, read from the database on each scrape. */
import type { Knex } from 'knex';
import { Gauge, type Registry } from 'prom-client';
import { countQuarantined, roundNames } from './quarantine-repository.ts';

/** Registers the gauge; a scrape while the database is away leaves it as it was. */
export function watchQuarantine(registry: Registry, knex: Knex): void {
  new Gauge({
    name: 'tarishi_quarantined_items',
    help: 'Items in quarantine, by kind of work',
    labelNames: ['round'],
    registers: [registry],
    async collect() {
      const counts = await countQuarantined(knex).catch(() => undefined);
      if (counts === undefined) return;
      for (const round of roundNames) this.set({ round }, counts.get(round) ?? 0);
    },
  });
}
