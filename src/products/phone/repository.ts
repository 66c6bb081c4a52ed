/** Loads the channels. */
import type { Knex } from 'knex';
import type { Channel } from './channels.ts';

/** The active ones, in the order in which responses list them. */
export async function loadChannels(knex: Knex): Promise<Channel[]> {
  const { rows } = await knex.raw<{
    rows: (Omit<Channel, 'bundleConnector'> & { bundleConnector: string | null })[];
  }>(
    `select name, prefixes, connector, bundle_connector as "bundleConnector"
     from channels where active order by position, name`,
  );
  return rows.map((row) => ({ ...row, bundleConnector: row.bundleConnector ?? undefined }));
}
