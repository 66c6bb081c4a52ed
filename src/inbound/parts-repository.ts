/** Keeps the parts of texts until they are all there, in whatever order and however often they come. */
import { createHash } from 'node:crypto';
import type { Knex } from 'knex';
import { cleanContent } from '../connectors/contract/network-text.ts';
import { decodeCoded, type TextCoding } from '../platform/text/coded.ts';
import type { ArrivedPart, InboundProduct, Whole } from './message.ts';

/** How long a text waits for its parts; then it is stored with those that came. */
export const partsSeconds = 3_600;
/** How long a part is remembered, so that its repetition is recognised. */
const rememberedSeconds = 86_400;
const partsPerRound = 200;
const forgottenPerRound = 5_000;

interface StoredPart {
  /** That the whole text has or will have. */
  messageId: string;
  number: number;
  total: number;
  /** A hash of the connector, the two numbers, the reference and the total. */
  series: string;
  connector: string;
  product: InboundProduct;
  phone: string;
  recipient: string;
  coding: TextCoding;
  /** How long one that is the same is taken for its repetition; null: for ever. */
  withinSeconds: number | null;
  /** It is the same as one of a text that has ended. */
  repeats: boolean;
  /** Base64; null: its text is stored. */
  octets: string | null;
  digest: string;
  /** Seconds since it came. */
  age: number;
}

const columns = `message_id as "messageId", number, total, series, connector, product, phone, recipient, coding,
  within_seconds as "withinSeconds", repeats, encode(octets, 'base64') as octets, digest,
  extract(epoch from service_now() - received_at)::float8 as age`;

/** Stores parts; returns the texts that are whole now, and those that will never be. */
export async function addParts(trx: Knex.Transaction, arrived: readonly ArrivedPart[]): Promise<Whole[]> {
  if (arrived.length === 0) return [];
  const parts = arrived.map(asStored);
  await lockSeries(trx, parts);
  const { rows } = await trx.raw<{ rows: StoredPart[] }>(
    `select ${columns} from inbound_parts where series = any(?::text[])`,
    [parts.map(({ series }) => series)],
  );
  const arrivedOf = Map.groupBy(parts, ({ series }) => series);
  const placed = [...arrivedOf].map(([series, own]) =>
    place(
      own,
      rows.filter((row) => row.series === series),
    ),
  );
  await insertParts(
    trx,
    placed.flatMap(({ added }) => added),
  );
  return endTexts(
    trx,
    placed.flatMap(({ ended }) => ended),
  );
}

/**
 * Puts parts of one series into texts. One that is the same as a part of the text that waits is its repetition. One that is the
 * same as a part of a text that has ended may be a repetition, or begin a text that has this part in common: whether the others
 * are the same too is seen when they come.
 */
function place(arrived: readonly StoredPart[], stored: readonly StoredPart[]) {
  const added: StoredPart[] = [];
  const ended: StoredPart[][] = [];
  let open = stored.filter(({ octets }) => octets !== null);
  const past = stored.filter(({ octets }) => octets === null);
  const end = () => {
    ended.push(open);
    past.push(...open);
    open = [];
  };
  for (const part of arrived) {
    const isRecent = ({ age }: StoredPart) =>
      part.withinSeconds === null || Math.abs(age) < part.withinSeconds;
    const isSame = (one: StoredPart) =>
      one.number === part.number && one.digest === part.digest && isRecent(one);
    if (open.some(isSame)) continue;
    // A phone that uses a reference again has given up the text that had it; what only repeats does not wait for long.
    const isGivenUp = open.some(({ number }) => number === part.number);
    if (isGivenUp || (isRepetition(open) && !open.every(isRecent))) end();
    const row = { ...part, messageId: open[0]?.messageId ?? part.messageId, repeats: past.some(isSame) };
    added.push(row);
    open.push(row);
    if (open.length === row.total) end();
  }
  return { added, ended };
}

/** Parts that are all the same as those of texts that have ended. */
const isRepetition = (parts: readonly StoredPart[]) => parts.every(({ repeats }) => repeats);

/** Texts whose parts have not all come in time; `more`: there may be others. */
export async function endOverdue(trx: Knex.Transaction): Promise<{ texts: Whole[]; more: boolean }> {
  const { rows: overdue } = await trx.raw<{ rows: Pick<StoredPart, 'messageId' | 'series'>[] }>(
    `select message_id as "messageId", series from inbound_parts
     where octets is not null and received_at < service_now() - ? * interval '1 second'
     order by received_at limit ?`,
    [partsSeconds, partsPerRound],
  );
  if (overdue.length === 0) return { texts: [], more: false };
  await lockSeries(trx, overdue);
  // One of them may have become whole meanwhile.
  const { rows } = await trx.raw<{ rows: StoredPart[] }>(
    `select ${columns} from inbound_parts where message_id = any(?::uuid[]) and octets is not null`,
    [overdue.map(({ messageId }) => messageId)],
  );
  const texts = await endTexts(trx, [...Map.groupBy(rows, ({ messageId }) => messageId).values()]);
  return { texts, more: overdue.length === partsPerRound };
}

/** Deletes parts that are no longer needed; returns whether there may be more. */
export async function forgetParts(knex: Knex): Promise<boolean> {
  const { rows } = await knex.raw<{ rows: unknown[] }>(
    `delete from inbound_parts where (message_id, number) in (
       select message_id, number from inbound_parts
       where octets is null and received_at < service_now() - ? * interval '1 second'
       order by received_at limit ?
     ) returning 1`,
    [rememberedSeconds, forgottenPerRound],
  );
  return rows.length === forgottenPerRound;
}

function asStored({
  id,
  connector,
  product,
  phone,
  to,
  repeatedWithinSeconds: withinSeconds,
  body: { part },
}: ArrivedPart): StoredPart {
  const { reference, number, total, coding, octets } = part;
  return {
    messageId: id,
    number,
    total,
    connector,
    product,
    phone,
    recipient: to,
    coding,
    withinSeconds,
    repeats: false,
    age: 0,
    series: hashOf([connector, phone, to, reference, String(total)]),
    octets: octets.toString('base64'),
    digest: hashOf([coding, octets.toString('base64')]),
  };
}

const hashOf = (words: readonly string[]) =>
  createHash('sha256').update(JSON.stringify(words)).digest('base64url');

/** Parts of one text may come through several binds and processes at once. Locked in one order. */
async function lockSeries(
  trx: Knex.Transaction,
  parts: readonly Pick<StoredPart, 'series'>[],
): Promise<void> {
  await trx.raw(
    `select pg_advisory_xact_lock(key) from (
       select distinct hashtextextended('inbound ' || series, 0) as key from unnest(?::text[]) as s(series) order by key
     ) as keys`,
    [parts.map(({ series }) => series)],
  );
}

async function insertParts(trx: Knex.Transaction, parts: readonly StoredPart[]): Promise<void> {
  if (parts.length === 0) return;
  await trx.raw(
    `insert into inbound_parts
       (message_id, number, total, series, connector, product, phone, recipient, coding, within_seconds, repeats, octets, digest)
     select "messageId", number, total, series, connector, product, phone, recipient, coding, "withinSeconds", repeats,
       decode(octets, 'base64'), digest
     from json_to_recordset(?::json) as p("messageId" uuid, number smallint, total smallint, series text, connector text,
       product text, phone text, recipient text, coding text, "withinSeconds" integer, repeats boolean, octets text,
       digest text)`,
    [JSON.stringify(parts)],
  );
}

/** Each is a text with all its parts that came. */
async function endTexts(trx: Knex.Transaction, texts: readonly StoredPart[][]): Promise<Whole[]> {
  const ids = texts.flatMap(([first]) => first?.messageId ?? []);
  if (ids.length > 0)
    await trx.raw(`update inbound_parts set octets = null where message_id = any(?::uuid[])`, [ids]);
  return texts.flatMap((parts) => wholeOf(parts) ?? []);
}

/** Stands in a text for parts that did not come. */
const gap = '…';

function wholeOf(parts: readonly StoredPart[]): Whole | undefined {
  const [first] = parts;
  if (first === undefined || (parts.length < first.total && isRepetition(parts))) return undefined;
  const { messageId, connector, product, phone, recipient, total, series, withinSeconds } = first;
  const runs = runsOf(parts);
  const text = runs.map((run) => run && decodeCoded(run.map(asCoded))).map((run) => run ?? gap);
  const isText = parts.some(({ coding }) => coding !== 'binary');
  const inOrder = parts.toSorted((one, other) => one.number - other.number);
  const identity = hashOf([series, ...inOrder.flatMap(({ number, digest }) => [String(number), digest])]);
  return {
    id: messageId,
    connector,
    product,
    phone,
    to: recipient,
    content: cleanContent({ kind: isText ? 'text' : 'other', text: isText ? text.join('') : '' }),
    missingParts: total - parts.length,
    repeat: { identity, withinSeconds },
  };
}

/** Neighbouring parts together, in their order; undefined where parts are missing. */
function runsOf(parts: readonly StoredPart[]): (StoredPart[] | undefined)[] {
  const runs: (StoredPart[] | undefined)[] = [];
  for (let number = 1; number <= (parts[0]?.total ?? 0); number += 1) {
    const part = parts.find((one) => one.number === number);
    const last = runs.at(-1);
    if (part === undefined) {
      if (runs.length === 0 || last !== undefined) runs.push(undefined);
    } else if (last === undefined) runs.push([part]);
    else last.push(part);
  }
  return runs;
}

const asCoded = ({ coding, octets }: StoredPart) => ({
  coding,
  octets: Buffer.from(octets ?? '', 'base64'),
});
