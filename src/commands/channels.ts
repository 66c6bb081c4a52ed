/** Commands for channels: the mobile networks, their prefixes and their connectors. */
import type { Database } from '../db/knex.ts';
import { insertChannel, listChannels, type StoredChannel, updateChannel } from '../phone/repository.ts';
import { CommandError, command } from './command.ts';
import { requireConnector } from './connector-for.ts';

const prefixRule = {
  rule: /^\+?[1-9]\d{0,14}$/,
  words: 'the first digits of international phone numbers, such as 25470',
};

export const channelCommands = [
  command({
    words: 'channel add',
    about: 'add a mobile network',
    positionals: { channel: 'name of the channel, as shown in responses' },
    options: {
      prefix: {
        kind: 'list',
        about: 'prefix of its phone numbers; the longest match over all channels wins',
        matching: prefixRule,
        required: true,
      },
      connector: { kind: 'text', about: 'connector for SMS', required: true },
      'bundle-connector': { kind: 'text', about: 'connector for data bundles', value: 'connector' },
    },
    async run({ channel: name, prefix, connector, 'bundle-connector': bundleConnector }, context) {
      const database = await context.database();
      const channel = { name, prefixes: digits(prefix), connector, bundleConnector, active: true };
      await check(database, channel);
      if (!(await insertChannel(database.knex, channel)))
        throw new CommandError(`channel ${name} already exists`);
      return { one: summaryOf(channel) };
    },
  }),
  command({
    words: 'channel set',
    about: 'change a mobile network; options that you omit stay unchanged',
    positionals: { channel: 'its name' },
    options: {
      prefix: {
        kind: 'list',
        about: 'prefix of its phone numbers; replaces the current list',
        matching: prefixRule,
      },
      connector: { kind: 'text', about: 'connector for SMS' },
      'bundle-connector': {
        kind: 'text',
        about: 'connector for data bundles; none removes it',
        value: 'connector',
      },
      status: { kind: 'text', about: 'whether it accepts messages', choices: ['active', 'inactive'] },
    },
    async run({ channel: name, prefix, connector, 'bundle-connector': bundles, status }, context) {
      const database = await context.database();
      const before = (await listChannels(database.knex)).find((one) => one.name === name);
      if (before === undefined) throw new CommandError(`channel ${name} does not exist`);
      const after: StoredChannel = {
        name,
        prefixes: prefix.length > 0 ? digits(prefix) : before.prefixes,
        connector: connector ?? before.connector,
        bundleConnector: bundles === 'none' ? undefined : (bundles ?? before.bundleConnector),
        active: status === undefined ? before.active : status === 'active',
      };
      await check(database, after);
      await updateChannel(database.knex, after);
      return { one: summaryOf(after) };
    },
  }),
  command({
    words: 'channel list',
    about: 'list the mobile networks',
    async run(_values, context) {
      const { knex } = await context.database();
      return { list: (await listChannels(knex)).map(summaryOf) };
    },
  }),
];

function digits(prefixes: readonly string[]): string[] {
  return [...new Set(prefixes.map((prefix) => prefix.replace('+', '')))];
}

/** Throws when a connector is unknown or for another product, or another channel has one of the prefixes. */
async function check(database: Database, channel: StoredChannel): Promise<void> {
  await requireConnector(database, channel.connector, 'sms');
  if (channel.bundleConnector !== undefined)
    await requireConnector(database, channel.bundleConnector, 'data');
  for (const other of await listChannels(database.knex)) {
    const shared = channel.prefixes.find((prefix) => other.prefixes.includes(prefix));
    if (other.name !== channel.name && shared !== undefined)
      throw new CommandError(`prefix ${shared} already belongs to channel ${other.name}`);
  }
}

function summaryOf({ name, prefixes, connector, bundleConnector, active }: StoredChannel) {
  return { channel: name, active, connector, bundleConnector: bundleConnector ?? null, prefixes };
}
