/** The lives of what several processes do beside messages, one of them at a time: imports, the archive, retention. */
import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Knex } from 'knex';
import { archivedTexts } from '../../../src/archive/leaving-repository.ts';
import { openArchive } from '../../../src/archive/open-archive.ts';
import { readSegment } from '../../../src/archive/read-segment.ts';
import { linesOf } from '../../../src/archive/segment.ts';
import { readSegments } from '../../../src/archive/segment-repository.ts';
import { verifyArchive } from '../../../src/archive/verify.ts';
import { newTimedId } from '../../../src/platform/timed-id.ts';
import { storePart } from '../../../src/products/consent/import-repository.ts';
import {
  listPorted,
  listPortedImports,
  storePortedPart,
} from '../../../src/products/phone/ported-repository.ts';
import { splitByNeed } from '../../../src/retention/erase-repository.ts';
import { keyOf } from '../choke/boundaries.ts';
import type { World } from '../world/world.ts';
import type { Life } from './life.ts';
import { delivered, offers, otherPhone, phone, sendSms } from './requests.ts';
import { usual } from './script.ts';
import { mostSms } from './sms.ts';

const dayMs = 24 * 3_600_000;
const nothing = { endings: [], sent: [], most: () => 0 };

/** Three chunks, so that several processes have one each; every number twice, and some lines without one. */
const imported = { numbers: 1_200, invalid: 7 };

function importedText(): string {
  const numbers = Array.from({ length: imported.numbers }, (_, index) => `+2547120${10_000 + index}`);
  const invalid = Array.from({ length: imported.invalid }, (_, index) => `nobody ${index}`);
  return [...numbers, ...invalid, ...numbers].join('\n');
}

async function importFaults({ data: { database } }: World): Promise<string[]> {
  const { knex } = database;
  const [{ added, unchanged, invalid }] = await knex('opt_out_imports').select();
  const [{ stored }] = await knex('opt_outs').select(knex.raw('count(*)::integer as stored'));
  const { numbers } = imported;
  const have = JSON.stringify({ added, unchanged, invalid, stored });
  const want = JSON.stringify({
    added: numbers,
    unchanged: numbers,
    invalid: imported.invalid,
    stored: numbers,
  });
  return have === want ? [] : [`of an import: ${have} instead of ${want}`];
}

/** The same number in two parts belongs to the later one; the table before is in use until then. */
const ported = {
  columns: { numberColumn: 'number', channelColumn: 'network', codes: {} },
  numbers: Array.from({ length: 600 }, (_, index) => `2547110${10_000 + index}`),
};

async function importPorted({ data: { database } }: World): Promise<void> {
  const { columns, numbers } = ported;
  const lines = (some: readonly string[], channel: string) =>
    some.map((one) => `${one},${channel}`).join('\n');
  const parts = [
    `number,network\n${lines(numbers.slice(0, 400), 'Airtel')}\nnobody,Airtel`,
    lines(numbers.slice(200), 'Safaricom'),
  ];
  for (const [place, text] of parts.entries())
    await database.knex.transaction((trx) =>
      storePortedPart(
        trx,
        { id: 'table', ...columns, parts: parts.length },
        { part: place + 1, lines: text, header: place === 0 ? 'number,network' : undefined },
      ),
    );
}

async function portedFaults({ data: { database } }: World): Promise<string[]> {
  const { knex } = database;
  const [found] = await listPortedImports(knex);
  const { lines, read, invalid, numbers, usedSince } = found ?? {};
  const inUse = (await listPorted(knex, { after: undefined, limit: 1_000 })).map(
    ({ phone: one, channel }) => `${one} ${channel}`,
  );
  const left = await knex('ported_import_parts').pluck('part');
  const expected = ported.numbers.map((one, place) => `+${one} ${place < 200 ? 'Airtel' : 'Safaricom'}`);
  const have = JSON.stringify([lines, read, invalid, numbers, usedSince !== null, left, inUse]);
  const want = JSON.stringify([801, 801, 1, 600, true, [], expected]);
  return have === want ? [] : [`of a table: ${have.slice(0, 200)} instead of ${want.slice(0, 200)}`];
}

interface Old {
  daysAgo: number;
  /** As retention leaves them. */
  erased: boolean;
  receiverUrl: string;
}

/** A request that ended long ago, with its message and its receipt. Returns its id. */
async function insertOld(knex: Knex, { daysAgo, erased, receiverUrl }: Old): Promise<string> {
  const at = knex.raw(`service_now() - ? * interval '1 day'`, [daysAgo]);
  const id = newTimedId(Date.now() - daysAgo * dayMs);
  const common = { team_id: 'demo', client_id: 'demo' };
  await knex('requests').insert({
    ...common,
    id,
    operation: 'sendSms',
    resource_id: offers.serviceId,
    created_at: at,
  });
  const [{ id: message_id }] = await knex('messages')
    .insert({
      request_id: id,
      team_id: 'demo',
      position: 0,
      product: 'sms',
      channel: 'Safaricom',
      units: 1,
      state: 'Delivered',
      final_at: at,
      connector: 'smsc',
      network_id: id,
      phone: erased ? `#${'0'.repeat(64)}` : phone,
      content: erased ? '' : 'Habari',
    })
    .returning('id');
  await knex('receipts').insert({
    ...common,
    id: newTimedId(),
    request_id: id,
    message_id,
    url: receiverUrl,
    origin_key: newTimedId(),
    body: erased ? '' : JSON.stringify({ phone }),
    state: 'Delivered',
    created_at: at,
  });
  return id;
}

const manifestsIn = (archiveUrl: string) =>
  readdirSync(fileURLToPath(archiveUrl)).filter((name) => /^\d+\.json$/.test(name)).length;

const removals = new Set(
  (['requests', 'inbound'] as const).map((leaver) => keyOf(archivedTexts(leaver).remove)),
);

/** Nothing leaves before all that is known of it stands in the archive. */
function archive(): Life {
  let left: string[] = [];
  let manifestsBefore = 0;
  return {
    ...nothing,
    name: 'old rows that leave for the archive',
    script: usual,
    together: true,
    begin: async ({ data: { database, archiveUrl }, networks: { receiverUrl } }) => {
      const { knex } = database;
      left = [];
      for (let count = 0; count < 3; count += 1)
        left.push(await insertOld(knex, { daysAgo: 401 + count, erased: true, receiverUrl }));
      await knex.raw('update count_progress set message_id = (select max(id) from messages)');
      manifestsBefore = manifestsIn(archiveUrl);
      await knex('archive').update({ next_round_at: '-infinity' });
    },
    check: async ({ data: { database, archiveUrl } }) => {
      const { knex } = database;
      const store = openArchive(archiveUrl);
      const faults: string[] = [];
      const stay = await knex('requests').whereIn('id', left).pluck('id');
      if (stay.length > 0) faults.push(`${stay.length} requests have not left`);
      const counts = new Map<string, number>();
      for await (const { manifest, leftAt } of readSegments(knex)) {
        if (leftAt === null) faults.push(`segment ${manifest.number} has not left`);
        for await (const line of linesOf(await readSegment(store, manifest))) {
          const { request, messages, receipts } = JSON.parse(line);
          if (messages?.length === 1 && receipts?.length === 1)
            counts.set(request.id, (counts.get(request.id) ?? 0) + 1);
        }
      }
      for (const id of left)
        if (counts.get(id) !== 1) faults.push(`the archive has ${id} ${counts.get(id) ?? 0} times`);
      return [...faults, ...(await verifyArchive(store, readSegments(knex))).faults];
    },
    watch: ({ key }, { data: { archiveUrl } }) => {
      if (!removals.has(key)) return undefined;
      return manifestsIn(archiveUrl) > manifestsBefore
        ? undefined
        : 'rows leave before their manifest is written';
    },
    // A round begins each minute.
    seconds: 150,
    leaseSeconds: 120,
  };
}

/** What is old enough is erased; so is all of a person who asks for it, once nothing of theirs is under way. */
const retention: Life = {
  name: 'old rows that are erased, and a person who is erased while an sms is under way',
  script: usual,
  together: true,
  begin: async (world) => {
    const { data, networks } = world;
    const { knex } = data.database;
    const { receiverUrl } = networks;
    for (const daysAgo of [8, 31, 91]) await insertOld(knex, { daysAgo, erased: false, receiverUrl });
    await sendSms('Habari', [otherPhone])(world);
    await knex.transaction(async (trx) => {
      const ids = await trx('messages').where({ phone: otherPhone }).pluck('id');
      await splitByNeed(trx, 'subject', ids);
    });
  },
  endings: [
    { ...delivered, receipt: undefined },
    { ...delivered, receipt: undefined },
    { ...delivered, receipt: undefined, stored: /^#/ },
    { ...delivered, phone: otherPhone, stored: /^$/ },
  ],
  sent: [`sms ${otherPhone.slice(1)}`],
  most: mostSms,
  check: async ({ data: { database } }) => {
    const { knex } = database;
    const texts = await knex('messages').whereNot({ content: '' }).pluck('content');
    const bodies = await knex('receipts').whereNot({ body: '' }).pluck('body');
    const due = await knex('erasures_due').pluck('duty');
    // Of the receipt that is not old enough.
    const have = JSON.stringify({ texts, bodies: bodies.length, due });
    const want = JSON.stringify({ texts: [], bodies: 1, due: [] });
    return have === want ? [] : [`of what is erased is left: ${have} instead of ${want}`];
  },
  // A round begins each minute, and what was under way is looked at again in one after that.
  seconds: 200,
};

export const choreLives: Life[] = [
  {
    ...nothing,
    name: 'import of opt-outs',
    script: usual,
    together: true,
    begin: async ({ data: { database } }) => {
      const scope = { product: 'sms', teamId: 'demo', serviceId: offers.serviceId } as const;
      await database.knex.transaction((trx) =>
        storePart(trx, { id: 'list', ...scope, target: 'MARKETING' }, 1, importedText()),
      );
    },
    check: importFaults,
    seconds: 30,
  },
  {
    ...nothing,
    name: 'import of ported numbers',
    script: usual,
    together: true,
    begin: importPorted,
    check: portedFaults,
    seconds: 30,
  },
  archive(),
  retention,
];
