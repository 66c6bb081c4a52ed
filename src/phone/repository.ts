/** Stores channels. */
import type { Knex } from 'knex';
import { insertNew } from '../db/insert.ts';
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

export interface StoredChannel extends Channel {
  bundleConnector: string | undefined;
  active: boolean;
}

/** All, in the order of `loadChannels`. */
export async function listChannels(knex: Knex): Promise<StoredChannel[]> {
  const rows: (Omit<StoredChannel, 'bundleConnector'> & { bundle_connector: string | null })[] = await knex(
    'channels',
  )
    .orderBy(['position', 'name'])
    .select('name', 'prefixes', 'connector', 'bundle_connector', 'active');
  return rows.map(({ bundle_connector, ...channel }) => ({
    ...channel,
    bundleConnector: bundle_connector ?? undefined,
  }));
}

export async function findChannel(knex: Knex, name: string): Promise<StoredChannel | undefined> {
  return (await listChannels(knex)).find((channel) => channel.name === name);
}

/** Listed behind the others. False when the name is taken. */
export async function insertChannel(knex: Knex, channel: Channel): Promise<boolean> {
  const position = knex.raw('(select coalesce(max(position), -1) + 1 from channels)');
  return insertNew(knex, 'channels', { name: channel.name, ...columnsOf(channel), position }, 'name');
}

export async function updateChannel(knex: Knex, channel: StoredChannel): Promise<void> {
  await knex('channels')
    .where({ name: channel.name })
    .update({ ...columnsOf(channel), active: channel.active });
}

function columnsOf({ prefixes, connector, bundleConnector }: Channel) {
  return { prefixes: JSON.stringify(prefixes), connector, bundle_connector: bundleConnector ?? null };
}
