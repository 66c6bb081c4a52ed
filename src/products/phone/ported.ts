/** Numbers that moved to another network with their prefix: compact tables, by number. */

/** Sorted by number; the last of two with the same number counted. */
export interface PortedNumbers {
  /** E.164 digits without the plus: at most 15, which a double holds exactly. */
  numbers: Float64Array;
  /** Of each number, the place of its channel in a list of names. */
  channels: Uint16Array;
}

export const noNumbers: PortedNumbers = { numbers: new Float64Array(0), channels: new Uint16Array(0) };

/**
 * The same for looking up: numbers that lie close together share their first digits, so that the others take 2 bytes each.
 * Where a number of millions lies in memory, and not how often it is compared, is what finding it costs.
 */
export interface PackedNumbers {
  /** What is left of a number without its last 16 bits, once for all that have the same. */
  blocks: Float64Array;
  /** Of each block, where it begins; at the end, where the last one ends. */
  starts: Uint32Array;
  /** The last 16 bits of each number. */
  rests: Uint16Array;
  channels: Uint16Array;
}

const blockSize = 2 ** 16;
/** How far a number is from where it would be if those of its block lay evenly, as a rule. */
const usualDistance = 96;

/** The place of its channel; undefined: it is not ported. `e164` with its plus. */
export function channelOf(
  { blocks, starts, rests, channels }: PackedNumbers,
  e164: string,
): number | undefined {
  const number = Number(e164.slice(1));
  const block = Math.floor(number / blockSize);
  // As a rule there is one after the other.
  const near = block - (blocks[0] ?? 0);
  const place = blocks[near] === block ? near : firstNotBelow(blocks, block, 0, blocks.length);
  if (blocks[place] !== block) return undefined;
  const rest = number - block * blockSize;
  const [first = 0, end = 0] = [starts[place], starts[place + 1]];
  const guess = first + Math.floor(((end - first) * rest) / blockSize);
  const [low, high] = [guess - usualDistance, guess + usualDistance];
  const found = firstNotBelow(
    rests,
    rest,
    low > first && (rests[low - 1] ?? 0) < rest ? low : first,
    high < end && (rests[high] ?? 0) >= rest ? high : end,
  );
  return found < end && rests[found] === rest ? channels[found] : undefined;
}

function firstNotBelow(sorted: Float64Array | Uint16Array, wanted: number, from: number, to: number): number {
  let [low, high] = [from, to];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((sorted[middle] ?? 0) < wanted) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Packs `count` numbers that come in their order. */
export function createPacking(count: number) {
  const [rests, channels] = [new Uint16Array(count), new Uint16Array(count)];
  const blocks: number[] = [];
  const starts: number[] = [];
  let filled = 0;
  return {
    add: (some: PortedNumbers) => {
      channels.set(some.channels, filled);
      for (const number of some.numbers) {
        const block = Math.floor(number / blockSize);
        if (block !== blocks.at(-1)) {
          blocks.push(block);
          starts.push(filled);
        }
        rests[filled] = number - block * blockSize;
        filled += 1;
      }
    },
    isFull: () => filled === count,
    packed: (): PackedNumbers => ({
      blocks: Float64Array.from(blocks),
      starts: Uint32Array.from(starts.concat(filled)),
      rests,
      channels,
    }),
  };
}

export function packed(numbers: PortedNumbers): PackedNumbers {
  const packing = createPacking(numbers.numbers.length);
  packing.add(numbers);
  return packing.packed();
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

export function decoded(octets: Uint8Array): PortedNumbers {
  const count = octets.length / (numberBytes + channelBytes);
  const view = new DataView(octets.buffer, octets.byteOffset, octets.length);
  const table = { numbers: new Float64Array(count), channels: new Uint16Array(count) };
  for (let place = 0; place < count; place += 1) {
    table.numbers[place] = view.getFloat64(place * numberBytes, true);
    table.channels[place] = view.getUint16(count * numberBytes + place * channelBytes, true);
  }
  return table;
}
