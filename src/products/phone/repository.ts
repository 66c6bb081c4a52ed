/** Loads the channels. */
import type { Knex } from 'knex';
import type { Channel } from './channels.ts';

interface Row extends Omit<Channel, 'bundleConnector' | 'promotionalSuffix'> {
  bundleConnector: string | null;
  promotionalSuffix: string | null;
}

/** The active ones, in the order in which responses list them. */
export async function loadChannels(knex: Knex): Promise<Channel[]> {
  const { rows } = await knex.raw<{ rows: Row[] }>(
    `select name, prefixes, connector, bundle_connector as "bundleConnector",
       promotional_suffix as "promotionalSuffix", required_registrations as "requiredRegistrations"
     from channels where active order by position, name`,
  );
  return rows.map((row) => ({
    ...row,
    bundleConnector: row.bundleConnector ?? undefined,
    promotionalSuffix: row.promotionalSuffix ?? undefined,
  }));
}
