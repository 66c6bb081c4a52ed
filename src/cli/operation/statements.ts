/** The command that verifies a statement without a database, or all ledgers with it and the archive. */
import { readFile } from 'node:fs/promises';
import type { GivenAccount } from '../../model/account.ts';
import { type Context, command } from '../line/command.ts';
import { CommandError, UsageError } from '../line/errors.ts';
import { archiveOf } from './archive.ts';

export const statementCommands = [
  command({
    words: 'statement verify',
    about:
      'check a statement, or all ledgers with --archive: exit code 1 and the first entry that was altered',
    optionalPositionals: { file: 'JSON file of a statement' },
    matching: { file: { rule: /^[^\0]+$/, words: 'the path of a file' } },
    options: {
      head: {
        kind: 'text',
        about: 'hash that the statement must contain, such as the closing hash of an earlier one',
        value: 'hash',
        matching: { rule: /^[0-9a-f]{64}$/, words: '64 hexadecimal digits' },
      },
      seals: {
        kind: 'flag',
        about: 'also compare it with the seals of the ledger: needs the database and SECRET_KEY',
      },
      archive: {
        kind: 'flag',
        about:
          'instead of a file, all ledgers from their first entry on: in the archive, and then in the database',
      },
    },
    async run({ file, head, seals, archive }, context) {
      if ((file === undefined) !== archive || (archive && (head !== undefined || seals)))
        throw new UsageError(['a file, with --head and --seals if you like, or --archive is required']);
      return file === undefined ? verifyLedgers(context) : verifyFile(file, head, seals, context);
    },
  }),
];

async function verifyFile(file: string, head: string | undefined, seals: boolean, context: Context) {
  const { compareWithSeals, verifyStatement } = await import('../../manage/units/statements.ts');
  const text = await readFile(file, 'utf8').catch((error: Error) => {
    throw new CommandError(`${file} cannot be read: ${error.message}`);
  });
  const verified = verifyStatement(text, head);
  if ('fault' in verified) throw new CommandError(`${file}: ${verified.fault}`);
  const { teamId, opening, closing } = verified.statement;
  const compared = seals ? await compareWithSeals(await context.management(), verified.statement) : undefined;
  if (compared !== undefined && 'fault' in compared) throw new CommandError(`${file}: ${compared.fault}`);
  return {
    one: {
      team: teamId,
      ...accountOf(verified.statement),
      entries: closing.entries - opening.entries,
      openingBalance: opening.balance,
      closingBalance: closing.balance,
      openingHash: opening.hash,
      closingHash: closing.hash,
      ...(compared === undefined ? {} : { confirmedThrough: compared.confirmed }),
    },
  };
}

async function verifyLedgers(context: Context) {
  const { readSegments } = await import('../../archive/segment-repository.ts');
  const { verifyArchive } = await import('../../archive/verify.ts');
  const { checkLedgers } = await import('../../manage/units/archived-ledgers.ts');
  const management = await context.management();
  const { faults, ledgers } = await verifyArchive(
    await archiveOf(context.config),
    readSegments(management.knex),
  );
  if (faults.length > 0) throw new CommandError(faults.join('\n'));
  const checked = await checkLedgers(management, ledgers);
  return {
    list: checked.map((ledger) => ({ ...ledger })),
    exitCode: checked.some(({ problem }) => problem !== null) ? 1 : 0,
  };
}

function accountOf({ product, channel, denomination, category }: GivenAccount) {
  return {
    product,
    channel: channel ?? null,
    denomination: denomination ?? null,
    category: category ?? null,
  };
}
