/** Commands for balances: list the accounts of a team and add units to one. */
import { listAccounts, topUp } from '../balances/repository.ts';
import type { Database } from '../db/knex.ts';
import type { Product } from '../intake/plan.ts';
import { listChannels } from '../phone/repository.ts';
import { templateCategories } from '../templates/template.ts';
import { CommandError, command, UsageError } from './command.ts';
import { requireTeam } from './teams.ts';

const mostUnits = 1_000_000_000;

/** Throws where no message would ever be paid from such an account. */
const checkVariant: { [P in Product]: (variant: string | undefined, database: Database) => Promise<void> } = {
  sms: async (variant) => {
    if (variant !== undefined) throw new UsageError(['--variant is not allowed for sms']);
  },
  data: async (variant, { knex }) => {
    const [, channel, denomination] = /^([^/]+)\/(\d+[MG]B)$/.exec(variant ?? '') ?? [];
    if (denomination === undefined)
      throw new UsageError(['--variant must be a channel and a denomination, such as Safaricom/50MB']);
    const channels = await listChannels(knex);
    if (!channels.some(({ name }) => name === channel))
      throw new CommandError(`channel ${channel} does not exist`);
  },
  chatapp: async (variant) => {
    if (!templateCategories.some((category) => category === variant))
      throw new UsageError([`--variant must be a template category: ${templateCategories.join(', ')}`]);
  },
};

export const balanceCommands = [
  command({
    words: 'topup',
    about: 'add units to an account of a team',
    positionals: { team: 'id of the team' },
    options: {
      product: {
        kind: 'text',
        about: 'product that the units pay for',
        choices: ['sms', 'data', 'chatapp'],
        required: true,
      },
      variant: {
        kind: 'text',
        about: 'for data: channel/denomination, such as Safaricom/50MB; for chatapp: a template category',
      },
      units: { kind: 'number', min: 1, max: mostUnits, value: 'n', about: 'number of units', required: true },
    },
    async run({ team, product: text, variant, units }, context) {
      const product = text as Product;
      const database = await context.database();
      await checkVariant[product](variant, database);
      await requireTeam(database, team);
      const account = { teamId: team, product, variant: variant ?? '' };
      const balance = await topUp(database.knex, account, units);
      return { one: { team, product, variant: variant ?? null, units, balance } };
    },
  }),
  command({
    words: 'balance',
    about: 'list the accounts of a team',
    positionals: { team: 'id of the team' },
    async run({ team }, context) {
      const database = await context.database();
      await requireTeam(database, team);
      const accounts = await listAccounts(database.knex, team);
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
