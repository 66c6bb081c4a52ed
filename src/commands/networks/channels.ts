/** Commands for channels: the mobile networks, their prefixes and their connectors. */
import { changeChannel, createChannel, listChannels } from '../../manage/networks/channels.ts';
import { channelWarnings } from '../../manage/networks/routes.ts';
import { rules } from '../../manage/rules.ts';
import { withWarnings } from '../line/answer.ts';
import { command } from '../line/command.ts';

export const channelCommands = [
  command({
    words: 'channel add',
    about: 'add a mobile network',
    positionals: { channel: 'name of the channel, as shown in responses' },
    options: {
      prefix: {
        kind: 'list',
        about: 'prefix of its phone numbers; the longest match over all channels wins',
        matching: rules.prefix,
        required: true,
      },
      connector: { kind: 'text', about: 'connector for SMS', required: true },
      'bundle-connector': { kind: 'text', about: 'connector for data bundles', value: 'connector' },
    },
    async run({ channel: name, prefix, connector, 'bundle-connector': bundleConnector }, context) {
      const fresh = { name, prefixes: prefix, connector, bundleConnector };
      const channel = await createChannel(await context.management(), fresh);
      return withWarnings({ one: summaryOf(channel) }, channelWarnings(channel));
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
        matching: rules.prefix,
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
      const channel = await changeChannel(await context.management(), name, {
        prefixes: prefix.length > 0 ? prefix : undefined,
        connector,
        bundleConnector: bundles === 'none' ? null : bundles,
        active: status === undefined ? undefined : status === 'active',
      });
      return { one: summaryOf(channel) };
    },
  }),
  command({
    words: 'channel list',
    about: 'list the mobile networks',
    async run(_values, context) {
      return { list: (await listChannels(await context.management())).map(summaryOf) };
    },
  }),
];

function summaryOf({
  name,
  prefixes,
  connector,
  bundleConnector,
  active,
}: Awaited<ReturnType<typeof createChannel>>) {
  return { channel: name, active, connector, bundleConnector: bundleConnector ?? null, prefixes };
}
