/** Commands for statements: write one, and verify one without a database. */
import { readFile } from 'node:fs/promises';
import type { Product } from '../../intake/plan.ts';
import { streamStatement, verifyStatement } from '../../manage/units/statements.ts';
import { CommandError, command } from '../line/command.ts';
import { instantOf } from '../line/instant.ts';
import { accountOptions } from './accounts.ts';

export const statementCommands = [
  command({
    words: 'statement show',
    prints: false,
    about: 'write the statement of an account to the standard output, as JSON or CSV',
    positionals: { team: 'id of the team' },
    options: {
      ...accountOptions,
      product: { ...accountOptions.product, about: 'product that the units pay for' },
      from: { kind: 'text', about: 'entries since then, such as 2027-01-01T00:00:00Z', value: 'instant' },
      to: { kind: 'text', about: 'entries before then', value: 'instant' },
      csv: { kind: 'flag', about: 'write CSV; only JSON can be verified' },
    },
    async run({ team, product, variant, csv, ...period }, context) {
      const [from, to] = [instantOf('from', period.from), instantOf('to', period.to)];
      const wanted = { team, product: product as Product, variant, from, to };
      return { parts: await streamStatement(await context.management(), wanted, csv ? 'csv' : 'json') };
    },
  }),
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
    },
    async run({ file, head }) {
      const text = await readFile(file, 'utf8').catch((error: Error) => {
        throw new CommandError(`${file} cannot be read: ${error.message}`);
      });
      const verified = verifyStatement(text, head);
      if ('fault' in verified) throw new CommandError(`${file}: ${verified.fault}`);
      const { teamId, product, variant, opening, closing } = verified.statement;
      return {
        one: {
          team: teamId,
          product,
          variant: variant || null,
          entries: closing.entries - opening.entries,
          openingBalance: opening.balance,
          closingBalance: closing.balance,
          openingHash: opening.hash,
          closingHash: closing.hash,
        },
      };
    },
  }),
];
