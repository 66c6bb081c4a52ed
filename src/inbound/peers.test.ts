/** Texts of phones through SMSCs that are not ours, in any coding, cut anywhere, in any order, repeated and lost. */
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { openConnector, until } from '../connectors/smpp/fake-testing.ts';
import { withPeer } from '../connectors/smpp/peers/installed-testing.ts';
import { npmSmpp, type PeerPdu, type PeerSession } from '../connectors/smpp/peers/npm-smpp-testing.ts';
import { systemTimers } from '../connectors/smpp/session/timers.ts';
import { sized } from '../platform/sized-testing.ts';
import { encodeGsm7 } from '../platform/text/gsm7.ts';
import { lockingTables, singleTables } from '../platform/text/gsm7-national.ts';
import { type InboundTestBed, openInbound, shortCode } from './testing.ts';

/** A deliver_sm. */
interface Delivery {
  from: string;
  to: string;
  esmClass: number;
  dataCoding: number;
  /** short_message with its header. */
  hex: string;
  /** Reference, total and number. */
  sar?: [number, number, number];
}

interface Peer {
  port: number;
  deliver: (delivery: Delivery) => void;
  /** The statuses of all responses so far. */
  statuses: number[];
  close: () => void;
}

async function startNpm(): Promise<Peer> {
  const statuses: number[] = [];
  let session: PeerSession | undefined;
  const server = npmSmpp.createServer((peer) => {
    peer.on('error', () => {});
    for (const command of ['bind_transceiver', 'unbind', 'enquire_link'])
      peer.on(command, (pdu: PeerPdu) => peer.send(pdu.response()));
    session = peer;
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: server.address().port,
    statuses,
    deliver: ({ from, to, esmClass, dataCoding, hex, sar }) => {
      const [sar_msg_ref_num, sar_total_segments, sar_segment_seqnum] = sar ?? [];
      const optional = sar === undefined ? {} : { sar_msg_ref_num, sar_total_segments, sar_segment_seqnum };
      const addresses = {
        source_addr: from,
        destination_addr: to,
        esm_class: esmClass,
        data_coding: dataCoding,
      };
      const octets = Buffer.from(hex, 'hex');
      const length = esmClass === 0 ? 0 : (octets[0] ?? 0) + 1;
      const message = octets.subarray(length);
      const short_message = length === 0 ? message : { udh: octets.subarray(0, length), message };
      session?.deliver_sm({ ...addresses, short_message, ...optional }, (pdu) =>
        statuses.push(pdu.command_status),
      );
    },
    close: () => {
      session?.destroy();
      server.close(() => {});
    },
  };
}

const perlScript = fileURLToPath(new URL('../connectors/smpp/peers/smsc.pl', import.meta.url));

async function startPerl(): Promise<Peer> {
  const statuses: number[] = [];
  const smsc = spawn('perl', [perlScript], { stdio: ['pipe', 'pipe', 'inherit'] });
  let port = 0;
  createInterface({ input: smsc.stdout }).on('line', (line) => {
    const said = JSON.parse(line);
    if (said.port !== undefined) port = said.port;
    if (said.taken !== undefined) statuses.push(said.taken);
  });
  await until(() => port !== 0, 'the SMSC listening');
  return {
    port,
    statuses,
    deliver: (delivery) => void smsc.stdin.write(`${JSON.stringify(delivery)}\n`),
    close: () => void smsc.kill(),
  };
}

/** One octet for each septet. */
function encodeTurkish(text: string): Buffer {
  const alphabet = lockingTables.get(1) ?? '';
  const extension = singleTables.get(1) ?? [];
  return Buffer.from(
    [...text].flatMap((character) => {
      const code = alphabet.indexOf(character);
      return code >= 0 ? [code] : [0x1b, extension.indexOf(character)];
    }),
  );
}

interface Coding {
  dataCoding: number;
  /** Of the user data header. */
  elements: readonly number[];
  encode: (text: string) => Buffer;
  unit: fc.Arbitrary<string>;
}

const codings = {
  gsm7: {
    dataCoding: 0x00,
    elements: [],
    encode: encodeGsm7,
    unit: fc.constantFrom(...'Habari @£Δ{}[]€\\^~|é\n'),
  },
  turkish: {
    dataCoding: 0x00,
    elements: [0x25, 1, 1, 0x24, 1, 1],
    encode: encodeTurkish,
    unit: fc.constantFrom(...'Habari ğıİşŞç€{}[]^|@\n'),
  },
  latin1: {
    dataCoding: 0x03,
    elements: [],
    encode: (text: string) => Buffer.from(text, 'latin1'),
    unit: fc.constantFrom(...'Habari éèÿß©'),
  },
  ucs2: {
    dataCoding: 0x08,
    elements: [],
    encode: (text: string) => Buffer.from(text, 'utf16le').swap16(),
    unit: fc.constantFrom(...'Habari Приветሰላም', '😀', '👩🏾‍💻'),
  },
} satisfies Record<string, Coding>;

interface Sent {
  text: string;
  coding: keyof typeof codings;
  /** Where it is cut, as shares of its octets. */
  cuts: readonly number[];
  form: 'udh8' | 'udh16' | 'sar';
  reference: number;
  /** Which of its parts never arrive, and which arrive twice; counted round. */
  lost: readonly number[];
  twice: readonly number[];
}

const anySent: fc.Arbitrary<Sent> = fc
  .constantFrom(...(Object.keys(codings) as Sent['coding'][]))
  .chain((coding) =>
    fc.record({
      text: fc.string({ unit: codings[coding].unit, minLength: 1, maxLength: 50 }),
      coding: fc.constant(coding),
      cuts: fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 4 }),
      form: fc.constantFrom('udh8', 'udh16', 'sar'),
      reference: fc.nat(255),
      lost: fc.oneof(
        { weight: 4, arbitrary: fc.constant([]) },
        { weight: 1, arbitrary: fc.array(fc.nat(9), { maxLength: 2 }) },
      ),
      twice: fc.array(fc.nat(9), { maxLength: 2 }),
    }),
  );

/** The parts of a text, the lost ones too. */
function partsOf({ text, coding, cuts, form, reference }: Sent, from: string): Delivery[] {
  const { dataCoding, elements, encode }: Coding = codings[coding];
  const octets = encode(text);
  const ends = [...cuts.map((share) => Math.floor(share * octets.length)), octets.length].sort(
    (a, b) => a - b,
  );
  const pieces = ends.map((end, index) => octets.subarray(ends[index - 1] ?? 0, end));
  return pieces.map((piece, index) => {
    const common = { from, to: shortCode, dataCoding };
    const place = [reference, pieces.length, index + 1] as [number, number, number];
    const joins = {
      none: [],
      sar: [],
      udh8: [0, 3, reference, ...place.slice(1)],
      udh16: [8, 4, 7, reference, ...place.slice(1)],
    };
    const used = pieces.length === 1 ? 'none' : form;
    const header = [...elements, ...joins[used]];
    const octets = header.length === 0 ? piece : Buffer.from([header.length, ...header, ...piece]);
    const sar = used === 'sar' ? { sar: place } : {};
    return { ...common, ...sar, esmClass: header.length === 0 ? 0 : 0x40, hex: octets.toString('hex') };
  });
}

const mostUnanswered = 200;

let inbound: InboundTestBed;
beforeAll(async () => {
  inbound = await openInbound();
});
afterAll(() => inbound.database.close());
afterEach(async () => {
  await inbound.database.knex('inbound_messages').delete();
  await inbound.database.knex('inbound_parts').delete();
});

async function texts(start: () => Promise<Peer>): Promise<void> {
  const seed = Number(process.env.SEED);
  process.stdout.write(`texts of phones: SEED=${seed}\n`);
  const all = fc.sample(anySent, { numRuns: sized(120, 5_000), seed });
  const peer = await start();
  const opened = openConnector({ port: peer.port }, systemTimers);
  opened.onMessages = (messages) => inbound.receive(...messages);
  await until(() => opened.connector.state?.().bound === 1, 'being bound');
  try {
    const phones = all.map((_sent, index) => `2547${String(11_000_000 + index)}`);
    const arriving = all.map((sent, index) => {
      const parts = partsOf(sent, phones[index] ?? '');
      const lost = new Set(parts.length === 1 ? [] : sent.lost.map((place) => place % parts.length));
      const twice = sent.twice.map((place) => place % parts.length).filter((place) => !lost.has(place));
      return { parts, lost, deliveries: [...parts.keys()].filter((place) => !lost.has(place)).concat(twice) };
    });
    const deliveries = arriving.flatMap(({ parts, deliveries }) =>
      deliveries.flatMap((place) => parts[place] ?? []),
    );
    const [shuffled = []] = fc.sample(fc.shuffledSubarray(deliveries, { minLength: deliveries.length }), {
      numRuns: 1,
      seed,
    });
    for (let from = 0; from < shuffled.length; from += mostUnanswered) {
      const some = shuffled.slice(from, from + mostUnanswered);
      for (const delivery of some) peer.deliver(delivery);
      await until(() => peer.statuses.length === from + some.length, 'all responses');
    }
    expect(new Set(peer.statuses)).toEqual(new Set([0]));
    const { knex } = inbound.database;
    await knex('inbound_parts').update({ received_at: knex.raw(`received_at - interval '61 minutes'`) });
    while (await inbound.endTexts());
    const stored = Map.groupBy(await inbound.stored(), ({ phone }) => phone);
    for (const [index, { text }] of all.entries()) {
      const { lost, parts } = arriving[index] ?? { lost: new Set(), parts: [] };
      const own = stored.get(`+${phones[index]}`) ?? [];
      if (lost.size === parts.length) expect(own).toEqual([]);
      else expect(own.map(({ missing_parts }) => missing_parts)).toEqual([lost.size]);
      if (lost.size === 0) expect(own[0].text).toBe(text);
    }
    expect(opened.reports).toEqual([]);
  } finally {
    await opened.connector.close?.();
    peer.close();
  }
}

test(
  'through npm smpp: each text whole and once, or incomplete after its time',
  () => texts(startNpm),
  600_000,
);

withPeer('libnet-smpp-perl', 'perl', ['-MNet::SMPP', '-e', '1'])(
  'through Net::SMPP: each text whole and once, or incomplete after its time',
  () => texts(startPerl),
  600_000,
);
