/** Whatever a chat app says of people's names, in whatever order and how often: no message is dropped, and nobody is two people. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { checkSettings } from '../connectors/runtime/settings.ts';
import { whatsAppInbound } from '../connectors/whatsapp/webhook.ts';
import { whatsAppKind } from '../connectors/whatsapp/whatsapp.ts';
import { createRandom } from '../partner/sandbox/random.ts';
import { clearTables } from '../platform/db/testing.ts';
import { sized } from '../platform/sized-testing.ts';
import { type InboundTestBed, openInbound } from './testing.ts';

const sequences = sized(30, 1_000);
const settings = checkSettings(whatsAppKind, {});

let inbound: InboundTestBed;
beforeAll(async () => {
  inbound = await openInbound();
  await inbound.addChatService('shop', 'acme', '1');
});
afterAll(() => inbound.database.close());

/** A call, with what it says: a message, and the names of one person. */
interface Call {
  value: object;
  names: readonly string[];
  wrote?: string;
}

/** Three people, who change their numbers and ids on the way; each call shows some of their names. */
function callsAtRandom(random: () => number): Call[] {
  const any = <Item>(items: readonly Item[]) => items[Math.floor(random() * items.length)] as Item;
  const ids = Array.from({ length: 60 }, (_, place) => String(10 + place)).values();
  const next = () => ids.next().value ?? '';
  const number = () => `2547110000${next()}`;
  const user = () => `KE.${next()}`;
  const people = [1, 2, 3].map((parent) => ({ number: number(), user: user(), parent: `KE.ENT.${parent}` }));
  const text = { type: 'text', text: { body: 'Habari' } };
  const kinds: ((person: (typeof people)[number], id: string) => Call)[] = [
    (one, id) => ({
      value: { messages: [{ ...text, id, from: one.number }] },
      names: [one.number],
      wrote: id,
    }),
    (one, id) => ({
      value: { messages: [{ ...text, id, from_user_id: one.user }] },
      names: [one.user],
      wrote: id,
    }),
    (one, id) => ({
      value: {
        contacts: [{ wa_id: one.number, user_id: one.user }],
        messages: [{ ...text, id, from: one.number, from_user_id: one.user }],
      },
      names: [one.number, one.user],
      wrote: id,
    }),
    (one) => ({
      value: { contacts: [{ user_id: one.user, parent_user_id: one.parent, profile: { username: 'asha' } }] },
      names: [one.user, one.parent],
    }),
    (one, id) => ({
      value: {
        statuses: [{ id, status: 'delivered', recipient_id: one.number, recipient_user_id: one.user }],
      },
      names: [one.number, one.user],
    }),
    (one, id) => {
      const [from, wa_id] = [one.number, number()];
      one.number = wa_id;
      const system = { type: 'user_changed_number', wa_id };
      return { value: { messages: [{ id, type: 'system', from, system }] }, names: [from, wa_id] };
    },
    (one, id) => {
      const [previous_user_id, user_id] = [one.user, user()];
      one.user = user_id;
      const system = { type: 'user_changed_user_id', user_id, previous_user_id };
      return { value: { messages: [{ id, type: 'system', system }] }, names: [previous_user_id, user_id] };
    },
  ];
  const calls = Array.from({ length: 12 }, (_, place) => any(kinds)(any(people), `wamid.${place}`));
  const repeated = calls.filter(() => random() < 0.3);
  return [...calls, ...repeated]
    .map((call) => ({ call, rank: random() }))
    .sort((one, other) => one.rank - other.rank)
    .map(({ call }) => call);
}

async function hear({ value }: Call): Promise<void> {
  const metadata = { phone_number_id: '1', display_phone_number: '254200' };
  const body = JSON.stringify({
    entry: [{ changes: [{ field: 'messages', value: { metadata, ...value } }] }],
  });
  const { messages = [], identities = [] } = whatsAppInbound.read(Buffer.from(body), settings);
  await inbound.learn('chat', identities);
  await inbound.receiveChat(...messages);
}

/** The names that were shown together, directly or through others. */
function groupsOf(calls: readonly Call[]): string[] {
  let groups: Set<string>[] = [];
  for (const { names } of calls.filter((call) => call.names.length > 1)) {
    const touched = groups.filter((group) => names.some((name) => group.has(name)));
    const merged = new Set([...names, ...touched.flatMap((group) => [...group])]);
    groups = [...groups.filter((group) => !touched.includes(group)), merged];
  }
  return groups.map((group) => [...group].sort().join(' ')).sort();
}

test(`${sequences} random sequences of webhooks: nothing is dropped, and no person is there twice`, async () => {
  const random = createRandom(Number(process.env.SEED));
  const { knex } = inbound.database;
  for (let nth = 0; nth < sequences; nth += 1) {
    await clearTables(knex, 'inbound_messages, inbound_unreadable, person_names');
    const calls = callsAtRandom(random);
    for (const call of calls) await hear(call);
    const rows: { person: string; name: string }[] = await knex('person_names').select('person', 'name');
    const people = [...Map.groupBy(rows, ({ person }) => person).values()];
    expect(
      people
        .map((own) =>
          own
            .map(({ name }) => name.replace('+', ''))
            .sort()
            .join(' '),
        )
        .sort(),
    ).toEqual(groupsOf(calls));
    const written = new Set(calls.flatMap(({ wrote }) => wrote ?? []));
    expect(await inbound.stored()).toHaveLength(written.size);
    expect(await inbound.unreadable()).toEqual([]);
  }
  expect(inbound.dropped).toEqual([]);
});
