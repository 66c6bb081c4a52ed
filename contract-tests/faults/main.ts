/**
 * Lives lives with faults in a process of its own, where time is virtual. Prints a JSON line for each run, or, to replay
 * one, what happened in it.
 */
import './time/virtual-time.ts';
import { parseArgs } from 'node:util';
import { createRandom } from '../../src/partner/sandbox/random.ts';
import type { Boundary } from './choke/boundaries.ts';
import { state } from './choke/database.ts';
import { faults } from './kinds/faults.ts';
import type { Life, Plan } from './lives/life.ts';
import { lives, pairLives } from './lives/lives.ts';
import { usual } from './lives/script.ts';
import { between, live, type Run, wordsOf } from './run.ts';
import { Counts, drawn, faultOf, type Planned, placeOf } from './sample.ts';
import { real } from './time/virtual-time.ts';
import { openWorld, type World } from './world/world.ts';

const { values: asked } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    /** How many plans of each life, with every fault at least once; absent: all. */
    'of-life': { type: 'string' },
    /** How many pairs. */
    runs: { type: 'string' },
    /** Every boundary with every fault once, whatever the life and however often it is crossed in it. */
    each: { type: 'boolean', default: false },
    /** Of how many processes this is which, such as 0/2. With `of-life`, each has lives of its own. */
    shard: { type: 'string', default: '0/1' },
    /** Only plans whose words contain this. */
    only: { type: 'string' },
    /** Ends with the first violation. */
    stop: { type: 'boolean', default: false },
    /** Two messages in one lot, with faults at two boundaries: as many as `runs` says, … */
    pairs: { type: 'boolean', default: false },
    /** … or as many as there is time for. */
    minutes: { type: 'string' },
    /** Only this life, … */
    life: { type: 'string' },
    /** … and only plans whose words contain this; shows what happened. */
    plan: { type: 'string' },
  },
});

const idleMs = 70_000;
const random = createRandom(Number(asked.seed));

const world = await openWorld(process.env.DATABASE_URL, usual);
await learnIdle(world);
const table: Planned[] = [];
for (const life of chosenLives()) {
  const run = await report(life, []);
  table.push(...plansFor(life, run.boundaries));
}
if (asked.pairs) await livePairs();
else for (const { life, plans } of sample(table)) await report(life, plans);
await world.close();
await written();
process.exit(0);

/** A process that exits loses what its pipe has not taken yet. */
function written(): Promise<void> {
  return new Promise((resolve) => process.stdout.write('', () => resolve()));
}

function chosenLives(): Life[] {
  if (asked.life !== undefined) return [...lives, ...pairLives].filter(({ name }) => name === asked.life);
  if (asked.pairs) return [...pairLives];
  if (asked['of-life'] === undefined) return [...lives];
  const { which, of } = shard();
  return shuffled(lives).filter((_, index) => index % of === which);
}

/** Any two plans of a life; the same for the same seed, whatever the number of processes. */
async function livePairs(): Promise<void> {
  const any = <Item>(items: readonly Item[]) => items[Math.floor(random() * items.length)] as Item;
  const { which, of } = shard();
  const endMs = real.now() + Number(asked.minutes ?? Number.POSITIVE_INFINITY) * 60_000;
  const count = Number(asked.runs ?? Number.POSITIVE_INFINITY);
  for (let index = 0; index < count && real.now() < endMs; index += 1) {
    const { life, plans } = any(table);
    const other = any(table.filter((one) => one.life === life));
    if (index % of === which) await report(life, [...plans, ...other.plans]);
  }
}

function shard(): { which: number; of: number } {
  const [which, of] = asked.shard.split('/').map(Number) as [number, number];
  return { which, of };
}

function plansFor(life: Life, boundaries: readonly Boundary[]): Planned[] {
  return boundaries.flatMap((boundary) =>
    faults
      .filter(({ fits }) => fits(boundary, state.embedded))
      .map(({ name }) => ({ life, plans: [{ boundary, fault: name }] })),
  );
}

/** The same for the same seed. */
function sample(all: readonly Planned[]): Planned[] {
  if (asked.plan !== undefined) {
    const [first = '', second] = asked.plan.split(between);
    const of = (words: string) => all.filter(({ plans }) => wordsOf(plans).includes(words));
    if (second === undefined) return of(first);
    return of(first).flatMap(({ life, plans }) =>
      of(second).map((other) => ({ life, plans: [...plans, ...other.plans] })),
    );
  }
  const mixed = shuffled(all).filter(({ plans }) => wordsOf(plans).includes(asked.only ?? ''));
  if (asked['of-life'] !== undefined) return drawn(mixed, Number(asked['of-life']));
  const counts = new Counts();
  const { which, of } = shard();
  return mixed
    .filter((planned) => !asked.each || counts.add(`${placeOf(planned)} × ${faultOf(planned)}`) === 1)
    .filter((_, index) => index % of === which);
}

function shuffled<Item>(items: readonly Item[]): Item[] {
  return items
    .map((item) => ({ item, place: random() }))
    .sort((one, other) => one.place - other.place)
    .map(({ item }) => item);
}

async function report(life: Life, plans: Plan[]): Promise<Run> {
  const startedMs = real.now();
  const run = await live(world, life, plans);
  const tookMs = Math.round(real.now() - startedMs);
  const { unfired, violations, seconds, trace, boundaries } = run;
  const line = {
    life: life.name,
    plan: wordsOf(plans),
    fault: plans.map(({ fault }) => fault).join(' and '),
    boundaries: plans.length === 0 ? boundaries.length : undefined,
    unfired,
    violations,
    seconds,
    tookMs,
    trace: violations.length === 0 ? undefined : trace,
  };
  if (asked.plan === undefined) process.stdout.write(`${JSON.stringify(line)}\n`);
  else process.stdout.write(`\n${life.name}: ${line.plan}\n${trace.join('\n')}\n${violations.join('\n')}\n`);
  if (asked.stop && violations.length > 0) {
    await written();
    process.exit(0);
  }
  return run;
}

/** What a service asks the database that has nothing to do. */
async function learnIdle({ start, pass, finish, clear }: World): Promise<void> {
  await clear();
  await finish(start());
  state.idle?.startLearning();
  await pass(() => false, idleMs);
  state.idle?.learnt();
}
