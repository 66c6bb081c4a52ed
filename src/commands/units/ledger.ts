/** Commands for the ledger: list the entries of a team's accounts, and correct a balance. */
import type { Product } from '../../intake/plan.ts';
import { ranges, rules } from '../../manage/rules.ts';
import { correctBalance, listLedger } from '../../manage/units/accounts.ts';
import { command } from '../line/command.ts';
import { instantOf } from '../line/instant.ts';
import { accountOptions } from './accounts.ts';

const { max } = ranges.units;

export const ledgerCommands = [
  command({
    words: 'ledger list',
    about: 'list the newest ledger entries of a team',
    positionals: { team: 'id of the team' },
    options: {
      product: { ...accountOptions.product, about: 'only this product', required: false },
      variant: { ...accountOptions.variant, about: 'only this variant, such as Safaricom/50MB' },
      from: { kind: 'text', about: 'entries since then, such as 2027-01-31T00:00:00Z', value: 'instant' },
      to: { kind: 'text', about: 'entries before then', value: 'instant' },
      limit: { kind: 'number', min: 1, max: 100, value: 'n', about: 'number of entries; default 100' },
    },
    async run({ team, product, variant, limit, ...period }, context) {
      const [from, to] = [instantOf('from', period.from), instantOf('to', period.to)];
      const filter = { team, product: product as Product | undefined, variant, from, to, limit };
      const entries = await listLedger(await context.management(), filter);
      return {
        list: entries.map(({ id, product, variant, units, reason, createdAt, ...rest }) => ({
          entry: id,
          at: createdAt.toISOString(),
          product,
          variant: variant || null,
          units,
          reason,
          request: rest.requestId,
          reference: rest.reference,
          note: rest.note,
        })),
      };
    },
  }),
  command({
    words: 'ledger adjust',
    about: 'correct the balance of an account by a ledger entry',
    positionals: { team: 'id of the team' },
    options: {
      ...accountOptions,
      units: {
        kind: 'number',
        min: -max,
        max,
        value: 'n',
        about: 'units to add; negative to take units away',
        required: true,
      },
      reason: { kind: 'text', about: 'why, kept with the entry', value: 'text', required: true },
      reference: {
        kind: 'text',
        about: 'makes the command safe to repeat: the same reference corrects the balance once',
        matching: rules.reference,
        required: true,
      },
    },
    async run({ team, product, variant, units, reason, reference }, context) {
      const correction = { team, product: product as Product, variant, units, note: reason, reference };
      return { one: { ...(await correctBalance(await context.management(), correction)) } };
    },
  }),
];
