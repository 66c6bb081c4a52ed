/** Commands for items in quarantine: list and retry them. */
import { listQuarantined, type QuarantinedItem, requestRetry } from '../isolation/quarantine-repository.ts';
import { CommandError, command, UsageError } from './command.ts';

const rowOf = ({ id, round, item, messageId, reason, attempts, createdAt, retrying }: QuarantinedItem) => ({
  id,
  round,
  item,
  message: messageId,
  reason,
  attempts,
  since: createdAt.toISOString(),
  retrying,
});

export const quarantineCommands = [
  command({
    words: 'quarantine list',
    about: 'list items that could not be recorded, and why',
    async run(_values, context) {
      const { knex } = await context.database();
      return { list: (await listQuarantined(knex)).map(rowOf) };
    },
  }),
  command({
    words: 'quarantine retry',
    about: 'have a worker retry one item, or all; an item that fails again stays listed',
    optionalPositionals: { id: 'id of the item, as listed' },
    options: { all: { kind: 'flag', about: 'retry every item' } },
    async run({ id, all }, context) {
      if (all === (id !== undefined)) throw new UsageError(['give either an <id> or --all']);
      if (id !== undefined && !/^[1-9]\d{0,17}$/.test(id)) throw new UsageError(['<id> must be a number']);
      const { knex } = await context.database();
      const items = await requestRetry(knex, id);
      if (id !== undefined && items.length === 0) throw new CommandError(`quarantine has no item ${id}`);
      return { list: items.map(rowOf) };
    },
  }),
];
