/** Messages of phones are stored once and for the right service, with the request that they reply to. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { cleanMessages } from '../connectors/contract/network-text.ts';
import type { PhonePart } from '../connectors/contract/phone-message.ts';
import { sized } from '../platform/sized-testing.ts';
import { encodeGsm7 } from '../platform/text/gsm7.ts';
import { type InboundTestBed, openInbound, part, phone, text } from './testing.ts';

let inbound: InboundTestBed;
beforeAll(async () => {
  inbound = await openInbound();
});
afterAll(() => inbound.database.close());
afterEach(async () => {
  const { knex } = inbound.database;
  await knex('inbound_messages').delete();
  await knex('inbound_parts').delete();
  await knex('messages').delete();
  await knex('services').whereNot({ id: 'orders' }).delete();
  inbound.dropped.length = 0;
});

test('a text is stored for the service whose sender it was sent to', async () => {
  await inbound.receive(text('Asante 😀'));
  expect(await inbound.stored()).toMatchObject([
    {
      team_id: 'acme',
      service_id: 'orders',
      phone,
      recipient: '22141',
      text: 'Asante 😀',
      kind: 'text',
      request_id: null,
    },
  ]);
});

test.each(['254711000000', '0711000000'])('from %s: the number in E.164', async (from) => {
  await inbound.receive(text('Habari', { from }));
  expect(await inbound.stored()).toMatchObject([{ phone }]);
});

test('from no phone number: kept as unreadable; to nobody: dropped; both are counted', async () => {
  await inbound.receive(
    text('Habari', { from: 'Safaricom' }),
    text('Habari', { to: '22142' }),
    text('Habari'),
  );
  expect(inbound.dropped.sort()).toEqual(['smsc Message NoNumber', 'smsc sender']);
  expect(await inbound.stored()).toHaveLength(1);
});

describe('a message that comes again', () => {
  test('is stored once, together with the first or later', async () => {
    const message = text('1', { identity: 'same' });
    await inbound.receive(message, message);
    await inbound.receive(message);
    expect(await inbound.stored()).toHaveLength(1);
  });

  test('after its time it is another one; with an id of its network never', async () => {
    const { knex } = inbound.database;
    const later = () =>
      knex('inbound_messages').update({ received_at: knex.raw(`received_at - interval '301 s'`) });
    await inbound.receive(
      text('1', { identity: 'a' }),
      text('1', { identity: 'b', repeatedWithinSeconds: null }),
    );
    await later();
    await inbound.receive(
      text('1', { identity: 'a' }),
      text('1', { identity: 'b', repeatedWithinSeconds: null }),
    );
    expect(await inbound.stored()).toHaveLength(3);
  });

  test('is what the person said last: YES, NO, YES are three, one by one, at once or between texts in parts', async () => {
    const say = (words: string) => text(words, { identity: words });
    const all = ['YES', 'YES', 'NO', 'YES', 'YES'].map(say);
    for (const message of all) await inbound.receive(message);
    await inbound.receive(part(1, 2, 'a'), part(2, 2, 'b'));
    await inbound.receive(...all);
    await inbound.receive(text('YES', { identity: 'YES', repeatedWithinSeconds: 0 }));
    expect((await inbound.stored()).map((one) => one.text)).toEqual([
      ...['YES', 'NO', 'YES', 'ab', 'YES', 'NO', 'YES', 'YES'],
    ]);
  });

  test('two processes that get it at once store it once', async () => {
    const message = text('1', { identity: 'same' });
    await Promise.all(Array.from({ length: 5 }, () => inbound.receiveElsewhere(message)));
    expect(await inbound.stored()).toHaveLength(1);
  });
});

describe('a service with a callback URL', () => {
  const post = (more: object) =>
    inbound.database
      .knex('services')
      .where({ id: 'orders' })
      .update({ inbound_callback_url: 'https://acme.example/in', ...more });
  beforeAll(async () => {
    const ago = (days: number) => ({
      created_at: inbound.database.knex.raw(`service_now() - ? * interval '1 day'`, [days]),
    });
    await inbound.addClient('revoked', { enabled: false, ...ago(2) });
    await inbound.addClient('first', ago(1));
    await inbound.addClient('second');
  });
  beforeEach(() => post({}));
  afterEach(() => post({ inbound_callback_url: null, inbound_client_id: null }));

  test('its messages wait to be posted once, with their own id, for the oldest enabled client or the one it names', async () => {
    const { knex } = inbound.database;
    const message = text('Asante', { identity: 'same' });
    await inbound.receive(message, message);
    const [stored] = await inbound.stored();
    const [receipt, ...others] = await knex('receipts');
    expect([others, inbound.posts()]).toEqual([[], 1]);
    expect(receipt).toMatchObject({
      ...{ id: stored.id, request_id: null, message_id: null, client_id: 'first' },
      ...{ url: 'https://acme.example/in', state: 'Waiting', sequence: 1 },
    });
    expect(JSON.parse(receipt.body)).toEqual({
      ...{ type: 'InboundMessage', messageId: stored.id, product: 'Sms', serviceId: 'orders' },
      ...{ from: phone, to: '22141', kind: 'Text', text: 'Asante' },
      receivedAt: stored.received_at.toISOString(),
    });
    await post({ inbound_client_id: 'second' });
    await inbound.receive(text('Tena'));
    expect(await knex('receipts').pluck('client_id').orderBy('created_at')).toEqual(['first', 'second']);
  });

  test('a word that was acted upon is noted, and posted with the message', async () => {
    await inbound.receive(text('STOP'));
    const [{ id, keyword }] = await inbound.stored();
    const { body } = await inbound.database.knex('receipts').where({ id }).first();
    expect([keyword, JSON.parse(body).keyword]).toEqual(['STOP', 'STOP']);
  });
});

describe('parts', () => {
  const texts = async () => (await inbound.stored()).map(({ text, missing_parts }) => [text, missing_parts]);
  const later = (minutes: number) => {
    const { knex } = inbound.database;
    return knex('inbound_parts').update({
      received_at: knex.raw(`received_at - ? * interval '1 minute'`, [minutes]),
    });
  };

  test('a text waits for all of its parts, and for no others', async () => {
    await inbound.receive(part(3, 3, 'c'), part(1, 3, 'a'), part(2, 3, 'x', 'udh8:8'));
    expect(await texts()).toEqual([]);
    await inbound.receive(part(2, 3, 'b'));
    expect(await texts()).toEqual([['abc', 0]]);
  });

  test.each([
    [0, 300],
    [4, 300],
    [10, 300],
    [10, 0],
  ])('of three texts with one reference, %i minutes apart, taken for repeated within %i s: all arrive whole', async (minutes, within) => {
    const said = ['all is well', 'FIRE', 'all is well'];
    for (const words of said) {
      for (const one of [part(1, 2, 'Meter 7: '), part(2, 2, words)])
        await inbound.receive({ ...one, repeatedWithinSeconds: within });
      await later(minutes);
    }
    await later(61);
    await inbound.endTexts();
    expect(await texts()).toEqual(said.map((words) => [`Meter 7: ${words}`, 0]));
  });

  test('that are repeated, before or after the last one, make no second text while the connector says they may repeat', async () => {
    const both = [part(1, 2, 'a'), part(2, 2, 'b')];
    await inbound.receive(part(1, 2, 'a'), ...both, ...both);
    await inbound.receive(...both.toReversed());
    await later(61);
    await inbound.endTexts();
    expect(await texts()).toEqual([['ab', 0]]);
    await inbound.receive(...both.map((one) => ({ ...one, repeatedWithinSeconds: 0 })));
    expect(await texts()).toHaveLength(2);
  });

  test('a repetition of one does not wait for the parts of a later text', async () => {
    await inbound.receive(part(1, 2, 'a'), part(2, 2, 'b'), part(2, 2, 'b'));
    await later(6);
    await inbound.receive(part(1, 2, 'c'), part(2, 2, 'd'));
    await later(61);
    await inbound.endTexts();
    expect(await texts()).toEqual([
      ['ab', 0],
      ['cd', 0],
    ]);
  });

  test('with a reference that is used again begin the next text', async () => {
    await inbound.receive(part(1, 2, 'a'), part(2, 2, 'b'), part(2, 2, 'd'), part(1, 2, 'c'));
    await inbound.receive(part(1, 2, 'e'), part(1, 2, 'g'), part(2, 2, 'h'));
    expect((await texts()).sort()).toEqual([
      ['ab', 0],
      ['cd', 0],
      ['e…', 1],
      ['gh', 0],
    ]);
  });

  test('that never come leave a gap after an hour; one that comes then is a text of its own', async () => {
    await inbound.receive(part(1, 4, 'a'), part(4, 4, 'd'));
    await later(59);
    await inbound.endTexts();
    expect(await texts()).toEqual([]);
    await later(2);
    await inbound.endTexts();
    expect(await texts()).toEqual([['a…d', 2]]);
    await inbound.receive(part(2, 4, 'b'));
    await later(61);
    await inbound.endTexts();
    expect(await texts()).toEqual([
      ['a…d', 2],
      ['…b…', 3],
    ]);
  });

  test('are forgotten after a day', async () => {
    await inbound.receive(part(1, 2, 'a'), part(2, 2, 'b'));
    await later(25 * 60);
    await inbound.endTexts();
    expect(await inbound.database.knex('inbound_parts')).toEqual([]);
  });

  test('of any size, whatever they contain, are no longer text than clients are promised, and one that can be stored', async () => {
    const octets = Buffer.from('x'.repeat(60_000), 'latin1');
    const half = Buffer.from('3dd8', 'hex');
    const bodies = Array.from({ length: 255 }, (_, place): { part: PhonePart } => {
      const reference = { reference: 'sar:1', number: place + 1, total: 255 };
      const coded = place === 9 ? { coding: 'utf16', octets: half } : { coding: 'latin1', octets };
      return { part: { ...reference, ...coded } as PhonePart };
    });
    const zero = [part(1, 2, '\0a'), part(2, 2, 'b\0')];
    const cut: string[] = [];
    await inbound.receive(
      ...cleanMessages([...zero, ...bodies.map((body) => text('', { body }))], (value) => cut.push(value)),
    );
    expect(new Set(cut)).toEqual(new Set(['text']));
    const [short, long] = (await texts())
      .map(([joined]) => joined)
      .sort((one, other) => one.length - other.length);
    expect([short, long.isWellFormed()]).toEqual(['ab', true]);
    expect(long.length).toBeLessThanOrEqual(65_536);
    expect(long.length).toBeGreaterThan(65_000);
  });

  test('of any texts, cut anywhere, in any order, repeated and lost: each text is whole and once, or says what is missing', async () => {
    const codings = {
      gsm7: { letters: [...'Habari €{}[]Δ'], encode: encodeGsm7 },
      utf16: {
        letters: [...'Приветሰላም', '😀'],
        encode: (words: string) => Buffer.from(words, 'utf16le').swap16(),
      },
    };
    const place = fc.nat(9);
    const anyText = fc.constantFrom('gsm7' as const, 'utf16' as const).chain((coding) =>
      fc.record({
        coding: fc.constant(coding),
        words: fc.string({ unit: fc.constantFrom(...codings[coding].letters), minLength: 1, maxLength: 50 }),
        /** Shares of its octets. */
        cuts: fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 1, maxLength: 4 }),
        lost: fc.oneof(
          { weight: 4, arbitrary: fc.constant<number[]>([]) },
          fc.array(place, { maxLength: 2 }),
        ),
        twice: fc.array(place, { maxLength: 2 }),
      }),
    );
    const seed = Number(process.env.SEED);
    const all = fc.sample(anyText, { numRuns: sized(120, 5_000), seed });
    const arriving = all.map(({ coding, words, cuts, lost, twice }, index) => {
      const octets = codings[coding].encode(words);
      const ends = [...cuts.map((share) => Math.floor(share * octets.length)), octets.length];
      const pieces = ends.sort((a, b) => a - b).map((end, at) => octets.subarray(ends[at - 1] ?? 0, end));
      const parts = pieces.map((piece, at) => {
        const one = { reference: 'udh8:7', number: at + 1, total: pieces.length, coding, octets: piece };
        return text('', { from: `2547${11_000_000 + index}`, body: { part: one } });
      });
      const missing = new Set(lost.map((at) => at % parts.length));
      const places = [...parts.keys(), ...twice.map((at) => at % parts.length)];
      return {
        parts,
        missing,
        come: places.filter((at) => !missing.has(at)).flatMap((at) => parts[at] ?? []),
      };
    });
    const comes = arriving.flatMap(({ come }) => come);
    const inAnyOrder = fc.shuffledSubarray(comes, { minLength: comes.length });
    const [shuffled = []] = fc.sample(inAnyOrder, { numRuns: 1, seed });
    for (let from = 0; from < shuffled.length; from += 50)
      await inbound.receive(...shuffled.slice(from, from + 50));
    await later(61);
    while (await inbound.endTexts());
    const stored = Map.groupBy(await inbound.stored(), (one) => one.phone);
    for (const [index, { parts, missing }] of arriving.entries()) {
      const own = stored.get(`+2547${11_000_000 + index}`) ?? [];
      const expected = missing.size === parts.length ? [] : [missing.size];
      expect(own.map((one) => one.missing_parts)).toEqual(expected);
      if (missing.size === 0) expect(own[0].text).toBe(all[index]?.words);
    }
  });

  test('through several processes at once make one text', async () => {
    const numbers = [1, 2, 3, 4, 5];
    await Promise.all(
      [...numbers, ...numbers].map((number) => inbound.receiveElsewhere(part(number, 5, `${number}`))),
    );
    expect(await texts()).toEqual([['12345', 0]]);
  });
});

describe('what it replies to', () => {
  test('the last message of the service to that number in 72 hours', async () => {
    await inbound.sent('orders', { hoursAgo: 3 });
    const last = await inbound.sent('orders', { hoursAgo: 2 });
    await inbound.sent('orders', { to: '+254711000001' });
    await inbound.sent('alerts');
    await inbound.receive(text('Ndiyo'));
    expect(await inbound.stored()).toMatchObject([{ request_id: last }]);
  });

  test('nothing after 72 hours', async () => {
    await inbound.sent('orders', { hoursAgo: 72.1 });
    await inbound.receive(text('Ndiyo'));
    expect(await inbound.stored()).toMatchObject([{ request_id: null }]);
  });
});

test('chat-app messages are of the service of their number', async () => {
  await inbound.addChatService('support', 'acme', '1055', '+254200000000');
  const media = { id: '77', mimeType: 'image/jpeg' };
  await inbound.receiveChat(
    text('', { to: '254200000001', toId: '1055', body: { content: { kind: 'media', text: '', media } } }),
    text('Habari', { to: '254200000000' }),
    text('Habari', { to: '254200000001' }),
  );
  expect((await inbound.stored()).toSorted((one, other) => one.kind.localeCompare(other.kind))).toMatchObject(
    [
      { product: 'chatapp', service_id: 'support', recipient: '+254200000000', kind: 'media', media },
      { service_id: 'support', kind: 'text' },
    ],
  );
  expect(inbound.dropped).toEqual(['chat sender']);
});
