/** Holds what is stored, and what the networks and the receiver got, to what clients were told. */
import type { Knex } from 'knex';
import { rowsOf, unbalancedAccounts } from '../support/service/stored-data.ts';
import type { Accepted } from './load.ts';
import { messageKey, type Networks, smsKey } from './networks.ts';

/** The requests of which a message, the key or the debit is not there. */
export async function lost(knex: Knex, accepted: readonly Accepted[]): Promise<Accepted[]> {
  const stored = await rowsOf<{ id: string; key: string; phones: string[]; units: number; debit: number }>(
    knex,
    `select r.id, k.key, array_agg(m.phone) as phones, sum(m.units)::integer as units,
       (select -sum(e.units)::integer from ledger_entries e
        where e.request_id = r.id and e.reason = 'Debit') as debit
     from requests r
     join messages m on m.request_id = r.id
     join idempotency_keys k on k.accepted ->> 'requestId' = r.id::text
     group by r.id, k.key`,
  );
  const byId = new Map(stored.map((row) => [row.id, row]));
  return accepted.filter(({ requestId, key, phones }) => {
    const row = byId.get(requestId);
    if (row === undefined || row.key !== key || row.units !== row.debit) return true;
    return row.phones.sort().join() !== [...phones].sort().join();
  });
}

/** What is not over yet; none: all is. */
export async function unfinished(
  knex: Knex,
  accepted: readonly Accepted[],
  { receipts }: Networks,
): Promise<string[]> {
  const open = await rowsOf<{ state: string; count: number }>(
    knex,
    `select state, count(*)::integer as count from messages where state <> 'Delivered' group by state`,
  );
  const missing = accepted
    .flatMap(({ requestId, phones }) => phones.map((phone) => messageKey(requestId, phone)))
    .filter((message) => !receipts.get(message)?.states.has('Delivered'));
  return [
    ...open.map(({ state, count }) => `${count} messages are ${state}`),
    ...(missing.length > 0 ? [`${missing.length} receipts were not posted, such as ${missing[0]}`] : []),
  ];
}

export interface Verdict {
  violations: string[];
  smsTwice: number;
  bundlesTwice: number;
}

/** While clients got no 200, of performance.now(). */
export interface Outage {
  fromMs: number;
  toMs: number;
}

/** What was submitted just before an outage is stored in it, and a worker notices its end later than clients may. */
const beforeMs = 10_000;
const afterMs = 20_000;

export async function judge(
  knex: Knex,
  accepted: readonly Accepted[],
  { sms, bundles, receipts }: Networks,
  outages: readonly Outage[],
): Promise<Verdict> {
  const violations: string[] = [];
  const expectNone = (what: string, found: readonly unknown[]) => {
    if (found.length > 0) violations.push(`${found.length} ${what}, such as ${JSON.stringify(found[0])}`);
  };
  expectNone('acknowledged requests are not stored whole', await lost(knex, accepted));
  expectNone('accounts differ from their ledger', await unbalancedAccounts(knex));
  const perKey = new Set(accepted.map(({ requestId }) => requestId));
  if (perKey.size !== accepted.length) violations.push('two keys have one request');
  expectNone(
    'requests nobody was told of',
    (await rowsOf<{ id: string }>(knex, 'select id from requests')).filter(({ id }) => !perKey.has(id)),
  );

  const sent = accepted.filter(({ product }) => product === 'sms');
  const messages = sent.flatMap(({ phones, text }) => phones.map((phone) => smsKey(phone, text)));
  expectNone(
    'SMS never reached the SMSC',
    messages.filter((message) => !sms.has(message)),
  );
  const twice = [...sms.values()].filter(({ length }) => length > 1);
  expectNone(
    'SMS were sent twice that were first sent in no outage',
    twice.filter(
      ([firstMs = 0]) =>
        !outages.some(({ fromMs, toMs }) => firstMs > fromMs - beforeMs && firstMs < toMs + afterMs),
    ),
  );

  const given = accepted.filter(({ product }) => product === 'data').flatMap(({ phones }) => phones);
  const times = (phone: string) => bundles.get(phone.replace('+', '')) ?? bundles.get(phone) ?? 0;
  expectNone(
    'bundles were not given once',
    given.filter((phone) => times(phone) !== 1),
  );
  expectNone(
    'messages have receipts of one state under several ids',
    [...receipts.values()].filter(({ states, ids }) => ids.size > states.size),
  );
  return {
    violations,
    smsTwice: twice.length,
    bundlesTwice: given.filter((phone) => times(phone) > 1).length,
  };
}
