/** The lives of messages with two connectors: the first one refuses them, or takes none. */
import type { World } from '../world/world.ts';
import type { Life, Outcome, Struck } from './life.ts';
import { mostBundles } from './others.ts';
import { delivered, number, otherPhone, phone, sendBundle, sendSms } from './requests.ts';
import { usual } from './script.ts';
import { mostSms } from './sms.ts';

/** All messages of the channel go through the first connector, and then through that which the channel has. */
async function prepare({ data, networks }: World, product: 'sms' | 'data'): Promise<void> {
  const { knex } = data.database;
  const first = networks.firstConnectors[product];
  await data.addConnector(first);
  const via = [{ connector: first.name }, { connector: product === 'sms' ? 'smsc' : 'provider' }];
  await knex('routes').insert({
    ...{ name: 'all', channel: 'Safaricom', product, position: 1 },
    via: JSON.stringify(via),
  });
}

/** A refusal is not stored before the transaction that moves the message on: it may be heard again. */
function most(what: string, struck: readonly Struck[]): number {
  const mostOfOne = what.includes('bundle') ? mostBundles : mostSms;
  return mostOfOne(what, struck) + (what.startsWith('first') ? 1 : 0);
}

/** Each hop is recorded once, even if its lot is repeated. */
const toldOnce =
  (reasons: RegExp, times = 1) =>
  async ({ data: { database } }: World): Promise<string[]> => {
    const all: ({ reason: string }[] | null)[] = await database.knex('messages').pluck('hops');
    const told = all.flatMap((hops) => (hops ?? []).map(({ reason }) => reason));
    const wrong = told.filter((reason) => !reasons.test(reason));
    return told.length - wrong.length === times && wrong.length === 0
      ? []
      : [`the hops of the messages are ${JSON.stringify(all)}`];
  };

/** The connection breaks before the first has it. */
const onlyNext: Outcome = { endings: [delivered], sent: [`sms ${number}`] };

const life = (name: string, more: Partial<Life> = {}): Life => ({
  name,
  script: usual,
  prepare: (world) => prepare(world, 'sms'),
  begin: sendSms('Habari'),
  endings: [delivered],
  sent: [`first sms ${number}`, `sms ${number}`],
  most,
  ...more,
});

export const routedLives: Life[] = [
  life('sms that one connector refuses and the next one takes', {
    otherwise: onlyNext,
    check: toldOnce(/refused|took no messages/),
  }),
  life('sms whose first connector is away', {
    script: { ...usual, first: () => ({ status: 503 }) },
    otherwise: onlyNext,
    // The first may have it: it is asked for nothing, and may say so again.
    most: (what, struck) => most(what, struck) + (what.startsWith('first') ? 1 : 0),
    check: toldOnce(/took no messages/),
    seconds: 30,
  }),
  life('sms whose first connector is paused', {
    prepare: async (world) => {
      await prepare(world, 'sms');
      await world.data.database.knex('connectors').where({ name: 'first-sms' }).update({ paused: true });
    },
    sent: [`sms ${number}`],
    check: toldOnce(/paused/),
  }),
  life('bundle that one provider refuses and the next one gives', {
    prepare: (world) => prepare(world, 'data'),
    begin: sendBundle,
    endings: [{ ...delivered, product: 'data' }],
    sent: [`first bundle ${number}`, `bundle ${number}`],
    check: toldOnce(/refused|took no messages/),
    seconds: 130,
  }),
];

export const twoRouted: Life = life('two sms that one connector refuses and the next one takes', {
  begin: sendSms('Habari', [phone, otherPhone]),
  endings: [delivered, { ...delivered, phone: otherPhone }],
  sent: [number, otherPhone.slice(1)].flatMap((to) => [`first sms ${to}`, `sms ${to}`]),
  check: toldOnce(/refused|took no messages/, 2),
});
