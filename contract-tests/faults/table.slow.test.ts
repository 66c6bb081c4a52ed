/** Every boundary that a message crosses, and every fault there: what was promised holds after each of them. */
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@jest/globals';
import { sized } from '../../src/platform/sized-testing.ts';

interface Line {
  life: string;
  plan: string;
  fault: string;
  boundaries?: number;
  unfired: number;
  violations: string[];
  seconds: number;
  tookMs: number;
  trace?: string[];
}

const program = fileURLToPath(new URL('main.ts', import.meta.url));
const seed = String(process.env.SEED);
/** Plans of each life, or `each` or `all`. */
const asked = process.env.FAULTS ?? String(sized(1, 10));
const wholeTable = asked === 'all' || asked === 'each';
const chosen = asked === 'all' ? [] : asked === 'each' ? ['--each'] : ['--of-life', asked];
const pairs = Number(process.env.FAULT_PAIRS ?? sized(0, 60));
/** Instead of a number of pairs. */
const pairMinutes = Number(process.env.PAIR_MINUTES ?? 0);
/** Processes at once. */
const concurrency = 2;
/** A process grows with every service that it starts: a large table takes many, one after the other. */
const processes = wholeTable ? 60 : sized(2, 6);
const pairMinutesOfProcess = 5;
const slackMs = 300_000;

test(
  'after every fault all is as promised',
  async () => {
    const lines = await runPrograms(
      Array.from({ length: processes }, (_, shard) => [
        ...['--seed', seed, ...chosen, '--shard', `${shard}/${processes}`],
      ]),
    );
    expectWell(lines);
    expect(lines.length).toBeGreaterThan(10);
    // A boundary moves when two batches happen to be one; were it many, nothing would be tested.
    expect(lines.filter(({ unfired }) => unfired > 0).length).toBeLessThan(Math.max(5, lines.length / 10));
  },
  wholeTable ? 12 * 3_600_000 : sized(600_000, 3_600_000),
);

if (pairs === 0 && pairMinutes === 0)
  process.stdout.write('skipped: pairs of faults; FAULT_PAIRS says how many, or PAIR_MINUTES for how long\n');
else
  test(
    'after any two faults, to two messages in one lot, all is as promised',
    async () => {
      expectWell(await runPrograms(pairMinutes === 0 ? countedPairs() : timedPairs()));
    },
    Math.max(pairMinutes * 2, pairs / 10) * 60_000 + slackMs,
  );

function countedPairs(): string[][] {
  return Array.from({ length: concurrency }, (_, shard) => [
    ...['--pairs', '--seed', seed, '--runs', String(pairs), '--shard', `${shard}/${concurrency}`],
  ]);
}

/** Each process draws pairs of its own. */
function timedPairs(): string[][] {
  const minutes = Math.min(pairMinutes, pairMinutesOfProcess);
  return Array.from({ length: Math.ceil(pairMinutes / minutes) * concurrency }, (_, index) => [
    ...['--pairs', '--seed', String(Number(seed) + index), '--minutes', String(minutes)],
  ]);
}

function expectWell(lines: readonly Line[]): void {
  process.stdout.write(`${summary(lines)}\n`);
  const broken = lines.filter(({ violations }) => violations.length > 0);
  expect(broken.map(words).join('\n\n')).toBe('');
}

async function runPrograms(all: readonly string[][]): Promise<Line[]> {
  const lines: Line[] = [];
  const waiting = [...all];
  const runNext = async (): Promise<void> => {
    for (let options = waiting.shift(); options !== undefined; options = waiting.shift())
      lines.push(...(await runProgram(options)));
  };
  await Promise.all(Array.from({ length: concurrency }, runNext));
  return lines;
}

/** A process that dies fails the test with what it wrote last. */
async function runProgram(options: readonly string[]): Promise<Line[]> {
  const child = spawn(process.execPath, [program, ...options], { stdio: ['ignore', 'pipe', 'pipe'] });
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve));
  let errors = '';
  child.stderr.on('data', (chunk) => {
    errors = (errors + chunk).slice(-5_000);
  });
  const lines: Line[] = [];
  for await (const line of createInterface({ input: child.stdout })) lines.push(JSON.parse(line));
  const code = await ended;
  if (code !== 0) throw new Error(`the process ended with ${code}: ${errors}`);
  return lines;
}

function words({ life, plan, violations, trace = [] }: Line): string {
  const replay = `node contract-tests/faults/main.ts --life '${life}' --plan '${plan.replaceAll("'", "'\\''")}'`;
  return [`${life}: ${plan}`, ...violations, ...trace, `SEED=${seed}, or alone: ${replay}`].join('\n');
}

function summary(lines: readonly Line[]): string {
  const plain = lines.filter(({ boundaries }) => boundaries !== undefined);
  const struck = lines.filter(({ boundaries }) => boundaries === undefined);
  const tookMs = lines.reduce((sum, line) => sum + line.tookMs, 0);
  const broken = lines.filter(({ violations }) => violations.length > 0).length;
  return [
    `faults: SEED=${seed}, ${struck.length} runs in ${Math.round(tookMs / 1_000)} s, ${broken} violations, ` +
      `${struck.filter(({ unfired }) => unfired > 0).length} without a fault`,
    `  ${[...Map.groupBy(struck, ({ fault }) => fault)].map(([fault, some]) => `${some.length} ${fault}`).join(', ')}`,
    ...plain.map(
      ({ life, boundaries }) =>
        `  ${life}: ${boundaries} boundaries, ${struck.filter((one) => one.life === life).length} runs`,
    ),
  ].join('\n');
}
