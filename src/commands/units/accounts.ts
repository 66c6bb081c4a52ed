/** Commands for balances: list the accounts of a team and add units to one. */
import type { Product } from '../../intake/plan.ts';
import { routeWarnings } from '../../manage/networks/routes.ts';
import { ranges, rules } from '../../manage/rules.ts';
import { listAccounts, topUp } from '../../manage/units/accounts.ts';
import { productNames } from '../../products.ts';
import { withWarnings } from '../line/answer.ts';
import { command } from '../line/command.ts';

export const accountOptions = {
  product: {
    kind: 'text',
    about: 'product that the units pay for',
    choices: productNames,
    required: true,
  },
  variant: {
    kind: 'text',
    about: 'for data: channel/denomination, such as Safaricom/50MB; for chatapp: a template category',
  },
} as const;

export const accountCommands = [
  command({
    words: 'topup',
    about: 'add units to an account of a team',
    positionals: { team: 'id of the team' },
    options: {
      ...accountOptions,
      units: {
        kind: 'number',
        ...ranges.units,
        value: 'n',
        about: 'number of units',
        required: true,
        fault: (units) =>
          units < 1 ? 'must be 1 or more; to correct a balance use `ledger adjust`.' : undefined,
      },
      reference: {
        kind: 'text',
        about: 'makes the command safe to repeat: the same reference adds units once',
        matching: rules.reference,
      },
      note: { kind: 'text', about: 'kept with the ledger entry', value: 'text' },
    },
    async run({ team, product: text, variant, units, reference, note }, context) {
      const product = text as Product;
      const management = await context.management();
      const { repeated: _repeated, ...one } = await topUp(management, {
        team,
        product,
        variant,
        units,
        reference,
        note,
      });
      return withWarnings({ one }, await routeWarnings(management, { team, product, variant }));
    },
  }),
  command({
    words: 'balance',
    about: 'list the accounts of a team',
    positionals: { team: 'id of the team' },
    async run({ team }, context) {
      const accounts = await listAccounts(await context.management(), team);
      return {
        list: accounts.map(({ product, variant, balance }) => ({
          product,
          variant: variant || null,
          balance,
        })),
      };
    },
  }),
];
