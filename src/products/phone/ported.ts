/** Numbers that moved to another network with their prefix: a compact table in memory, by number. */

/** Sorted by number; the last of two with the same number counted. */
export interface PortedNumbers {
  /** E.164 digits without the plus: at most 15, which a double holds exactly. */
  numbers: Float64Array;
  /** Of each number, the place of its channel in a list of names. */
  channels: Uint16Array;
}

export const noNumbers: PortedNumbers = { numbers: new Float64Array(0), channels: new Uint16Array(0) };

/** The place of its channel; undefined: it is not ported. `e164` with its plus. */
export function channelOf({ numbers, channels }: PortedNumbers, e164: string): number | undefined {
  if (numbers.length === 0) return undefined;
  const wanted = Number(e164.slice(1));
  let [low, high] = [0, numbers.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((numbers[middle] ?? 0) < wanted) low = middle + 1;
    else high = middle;
  }
  return numbers[low] === wanted ? channels[low] : undefined;
}

/** From rows in their order. */
export function sortedNumbers(rows: readonly (readonly [number: number, channel: number])[]): PortedNumbers {
  const last = new Map(rows);
  const numbers = Float64Array.from(last.keys()).sort();
  return { numbers, channels: Uint16Array.from(numbers, (number) => last.get(number) ?? 0) };
}

/** Of numbers in both, those of `later` count. */
export function merged(earlier: PortedNumbers, later: PortedNumbers): PortedNumbers {
  if (earlier.numbers.length === 0) return later;
  const most = earlier.numbers.length + later.numbers.length;
  const [numbers, channels] = [new Float64Array(most), new Uint16Array(most)];
  let [one, other, count] = [0, 0, 0];
  while (one < earlier.numbers.length || other < later.numbers.length) {
    const mine = earlier.numbers[one] ?? Number.POSITIVE_INFINITY;
    const theirs = later.numbers[other] ?? Number.POSITIVE_INFINITY;
    numbers[count] = Math.min(mine, theirs);
    channels[count] = (theirs <= mine ? later.channels[other] : earlier.channels[one]) ?? 0;
    count += 1;
    if (mine <= theirs) one += 1;
    if (theirs <= mine) other += 1;
  }
  return { numbers: numbers.subarray(0, count), channels: channels.subarray(0, count) };
}

const numberBytes = 8;
const channelBytes = 2;

/** As they are stored: all numbers, then all channels, little-endian. */
export function encoded({ numbers, channels }: PortedNumbers): Buffer {
  const octets = Buffer.alloc(numbers.length * (numberBytes + channelBytes));
  for (const [place, number] of numbers.entries()) octets.writeDoubleLE(number, place * numberBytes);
  const behind = numbers.length * numberBytes;
  for (const [place, channel] of channels.entries())
    octets.writeUInt16LE(channel, behind + place * channelBytes);
  return octets;
}

/** Writes what `octets` hold into a table, from a place on; returns the place behind it. */
export function decodeInto(table: PortedNumbers, from: number, octets: Uint8Array): number {
  const count = octets.length / (numberBytes + channelBytes);
  const view = new DataView(octets.buffer, octets.byteOffset, octets.length);
  for (let place = 0; place < count; place += 1) {
    table.numbers[from + place] = view.getFloat64(place * numberBytes, true);
    table.channels[from + place] = view.getUint16(count * numberBytes + place * channelBytes, true);
  }
  return from + count;
}

export function decoded(octets: Uint8Array): PortedNumbers {
  const table = roomFor(octets.length / (numberBytes + channelBytes));
  decodeInto(table, 0, octets);
  return table;
}

export function roomFor(count: number): PortedNumbers {
  return { numbers: new Float64Array(count), channels: new Uint16Array(count) };
}
