/** When codes are refused: the limit of a place, and a day on which somebody pumps. */
import { describe, expect, test } from '@jest/globals';
import { testEvery } from '../../platform/for-every-testing.ts';
import { type HourCount, hourMs, judgeCodes, roomOf, standingOf } from './rule.ts';

const now = Date.UTC(2026, 10, 26, 12, 30);
const ago = (hours: number, sent: number, confirmed: number, overConfirmed = 0): HourCount => ({
  hour: Math.floor(now / hourMs) * hourMs - hours * hourMs,
  sent,
  confirmed,
  overConfirmed,
});

testEvery<[string, HourCount[], string]>([
  ['nobody', [], '0 of 20, 0 of 20'],
  ['what is sent now', [ago(0, 25, 5)], '20 of 21, 20 of 21'],
  ['the 23 hours before, not the 24th', [ago(23, 7, 0), ago(24, 9, 0)], '7 of 20, 0 of 20'],
  ['a fifth of the confirmed in 24 hours', [ago(0, 1, 0), ago(5, 1_000, 900)], '101 of 200, 1 of 50'],
  ['a fifth of those of this hour', [ago(0, 1_000, 900)], '100 of 200, 100 of 200'],
  [
    'a fifth of the largest day',
    [ago(36, 500, 400), ago(30, 500, 400), ago(72, 900, 600)],
    '0 of 180, 0 of 46',
  ],
  [
    'which may be 13 days before, not 14',
    [ago(13 * 24, 500, 450), ago(14 * 24, 900, 900)],
    '0 of 110, 0 of 35',
  ],
  ['people beyond the limit too', [ago(0, 20, 10, 40)], '10 of 30, 10 of 30'],
])('counts %s', (_what, counts, standing) => {
  const said = Object.values(standingOf(counts, now)).map(
    ({ unconfirmed, limit }) => `${unconfirmed} of ${limit}`,
  );
  expect(said.join(', ')).toBe(standing);
});

describe('a request', () => {
  const full = '+254711000001';
  const free = '+255712000001';
  const rooms = () =>
    new Map([
      ...['KE', '+254711', 'TZ', '+255712', '+25571200'].map((place): [string, number] => [place, 9]),
      ['+25471100', 1],
    ]);

  test('with a code beyond the limit is refused whole, and only that code is counted', () => {
    const left = rooms();
    const { over, counts } = judgeCodes([free, full, full], 'Refuse', left);
    expect(over).toEqual([full]);
    expect(counts).toEqual(['KE', '+254711', '+25471100'].map((place) => ({ place, sent: 0, over: 1 })));
    expect(left).toEqual(rooms());
  });

  test('is only counted, where the guard records', () => {
    const left = rooms();
    const { over, counts } = judgeCodes([free, full, full], 'Record', left);
    expect(over).toEqual([full]);
    expect(counts.find(({ place }) => place === 'KE')).toEqual({ place: 'KE', sent: 1, over: 1 });
    expect(counts.find(({ place }) => place === 'TZ')).toEqual({ place: 'TZ', sent: 1, over: 0 });
    expect([left.get('KE'), left.get('+25471100'), left.get('TZ')]).toEqual([8, 0, 8]);
  });
});

/** Of people in a day, by hour: most are awake. */
const awake = [1, 1, 1, 1, 1, 2, 4, 6, 8, 8, 7, 6, 6, 6, 6, 6, 7, 8, 8, 8, 7, 5, 3, 2];
const people = 50_000;
const robots = 5_000;
/** How long a person takes to enter a code. */
const entryMs = 60_000;
/** The share of people who do: as few as the guard is made for. */
const confirming = 0.85;

/** A day is recorded, and somebody pumps from nine to one on the next, when codes are refused. */
function dayOfAttack(attacked: readonly string[]) {
  const random = randomFrom(Number(process.env.SEED));
  const digits = (count: number) => String(Math.floor(random() * 10 ** count)).padStart(count, '0');
  const dayBegins = Date.UTC(2026, 10, 26);
  const sum = awake.reduce((all, share) => all + share, 0);
  const honest = [-24, 0].flatMap((dayAt) =>
    awake.flatMap((share, hour) =>
      Array.from({ length: Math.round((share / sum) * people) }, () => ({
        at: dayBegins + (dayAt + hour + random()) * hourMs,
        ...{ phone: `+2547${Math.floor(random() * 3)}${digits(7)}`, isHonest: true },
      })),
    ),
  );
  const pumped = Array.from({ length: robots }, (_, nth) => {
    const prefix = attacked[nth % attacked.length] ?? '';
    const at = dayBegins + (9 + 4 * random()) * hourMs;
    return { at, phone: prefix + digits(13 - prefix.length), isHonest: false };
  });

  const counts = new Map<string, Map<number, HourCount>>();
  const countOf = (place: string, at: number): HourCount => {
    const hour = Math.floor(at / hourMs) * hourMs;
    const ofPlace = counts.get(place) ?? new Map<number, HourCount>();
    const found = ofPlace.get(hour) ?? { hour, sent: 0, confirmed: 0, overConfirmed: 0 };
    counts.set(place, ofPlace.set(hour, found));
    return found;
  };
  const entered: { at: number; confirm: () => void }[] = [];
  let confirmed = 0;
  const refused = { people: 0, robots: 0 };
  for (const { at, phone, isHonest } of [...honest, ...pumped].toSorted((one, other) => one.at - other.at)) {
    for (; (entered[confirmed]?.at ?? at) < at; confirmed += 1) entered[confirmed]?.confirm();
    const places = ['KE', phone.slice(0, -6), phone.slice(0, -4)];
    const rooms = new Map(
      places.map((place) => [place, roomOf([...(counts.get(place)?.values() ?? [])], at)]),
    );
    const guard = at < dayBegins ? 'Record' : 'Refuse';
    const isOver = judgeCodes([phone], guard, rooms).over.length > 0;
    if (!isOver) for (const place of places) countOf(place, at).sent += 1;
    if (isOver && guard === 'Refuse') refused[isHonest ? 'people' : 'robots'] += 1;
    else if (isHonest && random() < confirming)
      entered.push({
        at: at + entryMs,
        confirm: () => {
          for (const place of places) countOf(place, at)[isOver ? 'overConfirmed' : 'confirmed'] += 1;
        },
      });
  }
  return { paid: (robots - refused.robots) / robots, turnedAway: refused.people / people };
}

function randomFrom(seed: number): () => number {
  let state = (seed % 2_147_483_646) + 1;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}

test('of 5,000 codes that somebody pumps, at most 3 % are sent, and at most 0.1 % of 50,000 people get none', () => {
  // A block between the numbers of people, and a million numbers that nobody else has.
  const { paid, turnedAway } = dayOfAttack(['+254711234', '+2547999']);
  expect(paid).toBeLessThanOrEqual(0.03);
  expect(turnedAway).toBeLessThanOrEqual(0.001);
});
