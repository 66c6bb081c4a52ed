/** The active channels, as rows of data. */
import type { Knex } from 'knex';
import type { Channel } from './channels.ts';

/** In the order in which answers list them. */
export async function loadChannels(knex: Knex): Promise<Channel[]> {
  const { rows } = await knex.raw<{ rows: Channel[] }>(
    `select name, prefixes, connector, bundle_connector as "bundleConnector"
     from channels where active order by position, name`,
  );
  return rows;
}
