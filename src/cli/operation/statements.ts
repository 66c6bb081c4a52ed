/** The command that verifies a statement, without a database. */
import { readFile } from 'node:fs/promises';
import { compareWithSeals, verifyStatement } from '../../manage/units/statements.ts';
import type { GivenAccount } from '../../model/account.ts';
import { command } from '../line/command.ts';
import { CommandError } from '../line/errors.ts';

export const statementCommands = [
  command({
    words: 'statement verify',
    about: 'check a statement: exit code 1 and the first entry that was altered',
    positionals: { file: 'JSON file of a statement' },
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
    },
    async run({ file, head, seals }, context) {
      const text = await readFile(file, 'utf8').catch((error: Error) => {
        throw new CommandError(`${file} cannot be read: ${error.message}`);
      });
      const verified = verifyStatement(text, head);
      if ('fault' in verified) throw new CommandError(`${file}: ${verified.fault}`);
      const { teamId, opening, closing } = verified.statement;
      const compared = seals
        ? await compareWithSeals(await context.management(), verified.statement)
        : undefined;
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
    },
  }),
];

function accountOf({ product, channel, denomination, category }: GivenAccount) {
  return {
    product,
    channel: channel ?? null,
    denomination: denomination ?? null,
    category: category ?? null,
  };
}
