/** What can go wrong at a boundary, and how soon all must be well again. */
import type { Boundary, Hit, Strike } from '../choke/boundaries.ts';
import { state } from '../choke/database.ts';
import { frozen } from '../choke/locks.ts';
import { stepClocks } from '../time/virtual-time.ts';
import { restartMs, type World } from '../world/world.ts';

export interface Fault {
  name: string;
  moment: Hit['moment'];
  fits: (boundary: Boundary, embedded: boolean) => boolean;
  /** `leaseSeconds`: how long a process keeps work for itself. */
  strike: (at: Strike, world: World, leaseSeconds: number) => Promise<void>;
  /** Seconds that a life may take longer than without the fault. */
  withinSeconds: (boundary: Boundary, leaseSeconds: number) => number;
}

export const jobLeaseSeconds = 60;
const hourMs = 3_600_000;
const longerSeconds = 10;
const spellMs = 8_000;
const inTheMiddleMs = 100;

const anywhere = () => true;
const isDatabase = ({ kind }: Boundary) => kind !== 'write' && kind !== 'read';
const onServer = (boundary: Boundary, embedded: boolean) => !(embedded && isDatabase(boundary));
/** What a transaction has done so far is undone with it: one moment is enough. */
const notInside = ({ kind }: Boundary) => kind !== 'inside';
/** What comes has no effect yet; a moment later is before the next boundary. */
const notRead = ({ kind }: Boundary) => kind !== 'read';
const afterLease = (_boundary: Boundary, leaseSeconds: number) => leaseSeconds + 30;
/** A process that does not learn what was claimed for it cannot give it back. */
const soon = (boundary: Boundary, leaseSeconds: number) =>
  isClaim(boundary) ? afterLease(boundary, leaseSeconds) : 30;
const isClaim = ({ kind, key }: Boundary) =>
  kind === 'statement' && /^with (recursive lanes|due) as/.test(key);

function standStill(at: Strike, world: World, leaseSeconds: number, another = false): void {
  at.instance.freeze();
  frozen.add(at.instance);
  world.note(`${at.instance.name} stands still`);
  let over = false;
  const goOn = () => {
    if (over) return;
    over = true;
    world.note(`${at.instance.name} goes on`);
    frozen.delete(at.instance);
    at.instance.thaw();
  };
  world.later((leaseSeconds + longerSeconds) * 1_000, goOn);
  // In the middle of what another does: by then the database shows that it has begun.
  if (another) world.networks.onSending(() => world.later(inTheMiddleMs, goOn));
}

function die(at: Strike, world: World): Promise<never> {
  world.note(`${at.instance.name} dies`);
  at.instance.kill();
  world.later(restartMs, world.start);
  return new Promise(() => {});
}

export const faults: Fault[] = [
  {
    name: 'fails before',
    moment: 'before',
    fits: isDatabase,
    strike: (at) => at.fail(),
    withinSeconds: soon,
  },
  {
    name: 'cut before',
    moment: 'before',
    fits: onServer,
    strike: (at) => at.cut(),
    withinSeconds: soon,
  },
  {
    name: 'cut after',
    moment: 'after',
    fits: (boundary, embedded) => onServer(boundary, embedded) && notInside(boundary) && notRead(boundary),
    strike: (at) => at.cut(),
    withinSeconds: soon,
  },
  {
    name: 'silence after',
    moment: 'after',
    fits: (boundary, embedded) => onServer(boundary, embedded) && notRead(boundary),
    strike: (at) => at.silence(),
    withinSeconds: soon,
  },
  {
    name: 'stands still before',
    moment: 'before',
    fits: anywhere,
    strike: async (at, world, leaseSeconds) => standStill(at, world, leaseSeconds),
    withinSeconds: afterLease,
  },
  {
    name: 'stands still after',
    moment: 'after',
    fits: notRead,
    strike: async (at, world, leaseSeconds) => standStill(at, world, leaseSeconds),
    withinSeconds: afterLease,
  },
  {
    name: 'another takes over before',
    moment: 'before',
    fits: (_boundary, embedded) => !embedded,
    strike: async (at, world, leaseSeconds) => {
      standStill(at, world, leaseSeconds, true);
      world.later(restartMs, world.start);
    },
    withinSeconds: afterLease,
  },
  {
    name: 'another takes over after',
    moment: 'after',
    fits: (boundary, embedded) => !embedded && notRead(boundary),
    strike: async (at, world, leaseSeconds) => {
      standStill(at, world, leaseSeconds, true);
      world.later(restartMs, world.start);
    },
    withinSeconds: afterLease,
  },
  {
    name: 'dies before',
    moment: 'before',
    fits: anywhere,
    strike: die,
    withinSeconds: afterLease,
  },
  {
    name: 'dies after',
    moment: 'after',
    fits: (boundary) => notInside(boundary) && notRead(boundary),
    strike: die,
    withinSeconds: afterLease,
  },
  ...[1, -1].map(
    (sign): Fault => ({
      name: `clock ${sign > 0 ? '+' : '-'}1 h`,
      moment: 'before',
      fits: anywhere,
      strike: async (_at, world) => {
        world.note('the clock steps');
        stepClocks(sign * hourMs);
      },
      withinSeconds: () => 60,
    }),
  ),
  {
    name: 'read-only for a while',
    moment: 'before',
    fits: isDatabase,
    strike: async (at, world) => {
      await at.readOnly();
      world.note('the database is read-only');
      world.later(spellMs, () => {
        state.readOnly = false;
        world.note('the database may be written to');
      });
    },
    withinSeconds: afterLease,
  },
];
