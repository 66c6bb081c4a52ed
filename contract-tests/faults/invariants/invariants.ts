/** What must be true after every run, whatever happened in it. */
import type { Knex } from 'knex';
import type { Life, Outcome, Struck } from '../lives/life.ts';
import type { Posted } from '../world/networks.ts';
import type { World } from '../world/world.ts';

interface Message {
  phone: string;
  product: string;
  state: string;
  refunds: number;
}

/** Sentences on what is wrong and stays so; none: all is well. */
export async function violations(world: World, life: Life, plans: readonly Struck[]): Promise<string[]> {
  const { posted, got } = world.networks;
  return [
    ...sameIdFaults(posted),
    ...leastOf(life, ({ sent }) =>
      sentFaults(
        got.map(({ what }) => what),
        sent,
        (what) => life.most(what, plans),
      ),
    ),
    ...(world.restless() > 0 ? ['a loop does not rest while it waits'] : []),
    ...startFaults(world, plans),
    ...leaseFaults(world, plans),
    ...(await netFaults(world)),
  ];
}

export const outcomesOf = (life: Life): Outcome[] => [life, ...[life.otherwise ?? []].flat()];

/** What is wrong with the outcome that fits best. */
function leastOf(life: Life, faultsOf: (outcome: Outcome) => string[]): string[] {
  const [first = [], ...others] = outcomesOf(life).map(faultsOf);
  return others.reduce((least, some) => (some.length < least.length ? some : least), first);
}

/** Sentences on what is not well yet; none: the life is over. */
export async function unfinished(world: World, life: Life, struck: readonly Struck[]): Promise<string[]> {
  const { knex } = world.data.database;
  const { posted, got } = world.networks;
  const receipts = [
    ...leastOf(life, ({ endings }) => endings.flatMap((ending) => lastReceiptFaults(posted, ending))),
    ...heardFaults(posted, life),
  ];
  if (receipts.length > 0) return receipts;
  // While somebody stands still in a transaction, the embedded database answers nobody.
  if (world.pending() > 0) return ['somebody stands still, or has not started again'];
  const messages = await messagesOf(knex);
  const what = got.map((one) => one.what);
  return [
    // One outcome as a whole: what was sent is not cancelled as well.
    ...leastOf(life, ({ endings, sent }) => [
      ...messageFaults(messages, endings),
      ...sent.filter((one) => !what.includes(one)).map((one) => `${one} was never sent`),
      ...what.filter((one) => !sent.includes(one)).map((one) => `${one} was sent`),
    ]),
    ...storedOnceFaults(await knex('inbound_messages').pluck('text'), life),
    ...(await storedFaults(knex)),
    ...(await unmatchedFaults(knex, Math.max(0, got.length - life.sent.length))),
    ...((await life.check?.(world, struck)) ?? []),
  ];
}

async function messagesOf(knex: Knex): Promise<Message[]> {
  const { rows } = await knex.raw<{ rows: Message[] }>(
    `select phone, product, state, (select count(*) from ledger_entries l
       where l.message_id = m.id and l.reason = 'Refund')::integer as refunds
     from messages m order by id`,
  );
  return rows;
}

function messageFaults(messages: readonly Message[], endings: Outcome['endings']): string[] {
  const faults: string[] = [];
  if (messages.length !== endings.length)
    faults.push(`${messages.length} messages instead of ${endings.length}`);
  const left = [...messages];
  for (const { phone, stored, product, state, refunded } of endings) {
    const own = left.filter(
      (message) => message.product === product && (stored?.test(message.phone) ?? message.phone === phone),
    );
    const found =
      own.find((message) => message.state === state && message.refunds === Number(refunded)) ??
      own.find((message) => message.state === state) ??
      own[0];
    if (found === undefined) faults.push(`${product} to ${phone} is missing`);
    else {
      left.splice(left.indexOf(found), 1);
      if (found.state !== state) faults.push(`${product} to ${phone} is ${found.state} instead of ${state}`);
      if (found.refunds !== Number(refunded))
        faults.push(`${product} to ${phone} was refunded ${found.refunds} times`);
    }
  }
  return faults;
}

/** Of each product, by the receipt's type. */
const types = { sms: 'SmsDeliveryReceipt', data: 'DataDeliveryReceipt', chatapp: 'ChatAppDeliveryReceipt' };

export function lastReceiptFaults(
  posted: readonly Posted[],
  { phone, product, receipt }: Life['endings'][number],
): string[] {
  const isThere = posted.some(({ body, answered }) => {
    const { type, phone: to, deliveryStatus } = JSON.parse(body);
    return answered < 300 && type === types[product] && to === phone && deliveryStatus === receipt;
  });
  return receipt === undefined || isThere
    ? []
    : [`no receipt says that ${product} to ${phone} is ${receipt}`];
}

/** What phones sent is posted at least once, each under an id of its own. */
export function heardFaults(posted: readonly Posted[], { heard = [] }: Life): string[] {
  const idsOf = (text: string) =>
    posted
      .filter(({ answered, body }) => answered < 300 && JSON.parse(body).text === text)
      .map(({ id }) => id);
  return [...Map.groupBy(heard, (text) => text)]
    .filter(([text, { length }]) => new Set(idsOf(text)).size < length)
    .map(([text]) => `"${text}" of a phone was not posted`);
}

/** Each whole and once. */
function storedOnceFaults(stored: readonly string[], { heard = [] }: Life): string[] {
  const [have, want] = [stored, heard].map((texts) => JSON.stringify([...texts].sort()));
  return have === want ? [] : [`of phones are stored: ${have} instead of ${want}`];
}

/** At least once, and always with one id and one body for each state of a message. */
function sameIdFaults(posted: readonly Posted[]): string[] {
  const faults: string[] = [];
  const bodies = Map.groupBy(posted, ({ id }) => id);
  for (const [id, some] of bodies)
    if (new Set(some.map(({ body }) => body)).size > 1) faults.push(`receipt ${id} has several bodies`);
  const receipts = posted.filter(({ body }) => JSON.parse(body).type !== 'InboundMessage');
  const states = Map.groupBy(receipts, ({ body }) => {
    const { requestId, phone, type, deliveryStatus } = JSON.parse(body);
    return `${type} ${requestId} ${phone} ${deliveryStatus}`;
  });
  for (const [state, some] of states)
    if (new Set(some.map(({ id }) => id)).size > 1) faults.push(`${state} has several receipts`);
  return faults;
}

async function storedFaults(knex: Knex): Promise<string[]> {
  const { rows } = await knex.raw<{ rows: { words: string }[] }>(
    `select format('account %s has %s, and its entries make %s', a.id, a.balance, sum(l.units)) as words
       from accounts a join ledger_entries l on l.account_id = a.id group by a.id having a.balance <> sum(l.units)
     union all select format('%s job %s is left: %s', queue, id, data) from jobs where queue = 'deliver'
     union all select format('receipt %s is %s', id, state) from receipts where state <> 'Delivered'
     union all select format('%s of %s is in quarantine: %s', round, item, reason) from quarantine`,
  );
  return rows.map(({ words }) => words);
}

function sentFaults(
  got: readonly string[],
  expected: readonly string[],
  most: (what: string) => number,
): string[] {
  const faults: string[] = [];
  const counts = Map.groupBy(got, (what) => what);
  const wanted = Map.groupBy(expected, (what) => what);
  for (const [what, { length }] of wanted) {
    const count = counts.get(what)?.length ?? 0;
    if (count < length) faults.push(`${what} was sent ${count} times instead of ${length}`);
  }
  for (const [what, { length }] of counts) {
    const own = wanted.get(what)?.length;
    if (own === undefined) faults.push(`${what} was sent`);
    else if (length > own - 1 + most(what)) faults.push(`${what} was sent ${length} times`);
  }
  return faults;
}

/** What was sent again has an id more, which may never have come to us: reports on it are not matched. */
async function unmatchedFaults(knex: Knex, sentAgain: number): Promise<string[]> {
  const ids: string[] = await knex('network_reports').distinct().pluck('network_id');
  return ids.length <= sentAgain ? [] : [`reports were not matched: ${ids.join(', ')}`];
}

/** A process waits for a database that is away; an error of a database that is there ends it. */
function startFaults({ ended }: World, plans: readonly Struck[]): string[] {
  return plans.some(({ fault }) => fault === 'fails before') ? [] : [...ended];
}

/** A process that took work over keeps it until it is done: what another comes back with is too late. */
function leaseFaults({ lateInstances }: World, plans: readonly Struck[]): string[] {
  if (!plans.every(({ fault }) => fault.startsWith('another takes over'))) return [];
  return lateInstances
    .filter((name) => plans.every(({ instance }) => instance !== name))
    .map((name) => `${name} lost a lease although it never stood still`);
}

/** The chore that finds what was forgotten would hide the mistake that forgot it. */
const nets = ['tarishi_orphaned_messages_total'];

async function netFaults({ services }: World): Promise<string[]> {
  const faults: string[] = [];
  for (const { registry, instance } of services)
    for (const name of nets) {
      const metric = registry.getSingleMetric(name);
      // Renamed, it would be found no more.
      if (metric === undefined) faults.push(`there is no ${name}`);
      for (const { value } of (await metric?.get())?.values ?? [])
        if (value > 0) faults.push(`${instance.name} found what was forgotten: ${name} is ${value}`);
    }
  return faults;
}
