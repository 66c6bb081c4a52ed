/** Commands for items in quarantine: list and retry them. */
import { listQuarantine, retryQuarantined } from '../../manage/operation/quarantine.ts';
import { command, UsageError } from '../line/command.ts';

type Item = Awaited<ReturnType<typeof listQuarantine>>[number];

const rowOf = ({ id, round, item, messageId, reason, attempts, createdAt, retrying }: Item) => ({
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
      return { list: (await listQuarantine(await context.management())).map(rowOf) };
    },
  }),
  command({
    words: 'quarantine retry',
    about: 'have a worker retry one item, or all; an item that fails again stays listed',
    optionalPositionals: { id: 'id of the item, as listed' },
    options: { all: { kind: 'flag', about: 'retry every item' } },
    async run({ id, all }, context) {
      if (all === (id !== undefined)) throw new UsageError(['give either an <id> or --all']);
      return { list: (await retryQuarantined(await context.management(), id)).map(rowOf) };
    },
  }),
];
