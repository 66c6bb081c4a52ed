/** The lives of messages that go over HTTP: to one provider, or to the first of two, which refuses them or takes none. */
import type { Script } from '../world/networks.ts';
import type { World } from '../world/world.ts';
import type { Life, Outcome, Struck } from './life.ts';
import { mostBundles } from './others.ts';
import { delivered, number, otherPhone, phone, sendBundle, sendSms } from './requests.ts';
import { usual } from './script.ts';
import { isUnstored, mostSms } from './sms.ts';

/** All messages of the channel go through the first connector, and then through those after it. */
async function prepare(
  { data, networks }: World,
  product: 'sms' | 'data',
  next: readonly string[] = [product === 'sms' ? 'smsc' : 'provider'],
): Promise<void> {
  const { knex } = data.database;
  const first = networks.firstConnectors[product];
  await data.addConnector(first);
  const via = [first.name, ...next].map((connector) => ({ connector }));
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

/** The provider takes each message under an id of its own, and reports by our reference. */
const takes: Script['first'] = ({ body: { reference } }, networks) => {
  const id = `P-${networks.got.length}`;
  networks.callBack('first-sms', 2_000, { id, reference, status: 'DELIVERED' });
  return { status: 201, body: { id } };
};

/** At least once: it is sent again if its answer is lost or cannot be stored. */
function mostTaken(_what: string, struck: readonly Struck[]): number {
  const inDoubt = ({ boundary: { key }, fault, earlier }: Struck) =>
    !fault.startsWith('clock') && (/^provider/.test(key) || isUnstored(earlier, /^provider → POST/));
  return 1 + struck.filter(inDoubt).length;
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
  life('sms that a provider takes over http', {
    script: { ...usual, first: takes },
    prepare: (world) => prepare(world, 'sms', []),
    sent: [`first sms ${number}`],
    most: mostTaken,
  }),
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
