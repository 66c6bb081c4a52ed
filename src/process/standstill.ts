/** Gauges of what stands still although nothing keeps it waiting, of caps and of guards, read from the database on each scrape. */
import type { Registry } from 'prom-client';
import { findOverdueTexts } from '../inbound/overdue-repository.ts';
import { listNearCaps } from '../manage/units/caps-repository.ts';
import { countPumpedPlaces } from '../manage/units/guarded-places-repository.ts';
import type { Database } from '../platform/db/knex.ts';
import { watchGauges } from '../platform/gauges.ts';
import { deadProcesses } from '../platform/processes/repository.ts';
import { findStandstill } from '../products/consent/import-repository.ts';
import { findPortedStandstill } from '../products/phone/ported-repository.ts';

const gauges = {
  dead: {
    name: 'tarishi_dead_processes',
    help: 'Processes that stopped without saying so in the last 15 minutes, or whose work nobody does since',
  },
  caps: {
    name: 'tarishi_caps_near_or_reached',
    help: 'Caps of teams and clients of which at least 80 % were accepted in this day or month',
  },
  pumped: {
    name: 'tarishi_pumped_places',
    help: 'Countries and prefixes to which one-time codes of a team went beyond its guard in this hour or the last',
  },
  imports: {
    name: 'tarishi_opt_out_imports_waiting_seconds',
    help: 'Time since a line of an import of opt-outs was read, while lines wait',
  },
  ported: {
    name: 'tarishi_ported_import_waiting_seconds',
    help: 'Time since a part of a table of ported numbers came or was read, while the table is not in use',
  },
  texts: {
    name: 'tarishi_incomplete_texts_overdue_seconds',
    help: 'Time since the first text of a phone should have been stored without its missing parts',
  },
};

export function watchStandstill(registry: Registry, { knex }: Database): void {
  watchGauges(registry, gauges, async () => ({
    dead: (await deadProcesses(knex)).length,
    caps: (await listNearCaps(knex, undefined, null)).length,
    pumped: await countPumpedPlaces(knex),
    imports: (await findStandstill(knex))?.seconds ?? 0,
    ported: (await findPortedStandstill(knex))?.seconds ?? 0,
    texts: (await findOverdueTexts(knex)).seconds,
  }));
}
