/** Lives one life with the faults of a plan, and judges it. */
import { type Boundary, createRecorder, type Hit, words } from './choke/boundaries.ts';
import { state } from './choke/database.ts';
import { frozen } from './choke/locks.ts';
import { network } from './choke/network.ts';
import {
  heardFaults,
  lastReceiptFaults,
  outcomesOf,
  unfinished,
  violations,
} from './invariants/invariants.ts';
import { type Fault, faults, jobLeaseSeconds } from './kinds/faults.ts';
import type { Life, Plan } from './lives/life.ts';
import { livedMs } from './time/virtual-time.ts';
import type { World } from './world/world.ts';

export interface Run {
  plans: readonly Plan[];
  /** Plans whose boundary was not crossed. */
  unfired: number;
  violations: string[];
  boundaries: readonly Boundary[];
  seconds: number;
  trace: readonly string[];
}

/** What a life takes at most without a fault. */
const baseSeconds = 20;
/** After the end: whatever comes twice comes by then. */
const afterMs = 5_000;

export async function live(world: World, life: Life, plans: readonly Plan[]): Promise<Run> {
  const leaseSeconds = life.leaseSeconds ?? jobLeaseSeconds;
  const hits = plans.map((plan) => hitOf(plan, world, leaseSeconds));
  const wrongSteps = new Set<string>();
  const recorder = createRecorder(hits, (boundary) => {
    const wrong = life.watch?.(boundary, world);
    if (wrong !== undefined) wrongSteps.add(wrong);
  });
  frozen.clear();
  state.readOnly = false;
  await world.clear();
  state.recorder = recorder;
  network.recorder = recorder;
  state.idle?.startRun();
  world.networks.script = life.script;
  world.networks.onArrival = recorder.note;
  await life.prepare?.(world);
  await world.finish(world.start());
  // The embedded database serves one process.
  if (life.together && !state.embedded) await world.finish(world.start());
  await world.finish(world.client.logIn());
  const startedMs = livedMs();
  recorder.arm();
  let failure: unknown;
  let begun = false;
  life.begin(world).then(
    () => {
      begun = true;
    },
    (error) => {
      failure = error;
    },
  );
  const limitSeconds =
    (life.seconds ?? baseSeconds) +
    (plans.some(({ fault }) => fault === 'clock -1 h') ? (life.secondsIfSetBack ?? 0) : 0) +
    plans.reduce(
      (sum, { fault, boundary }) => sum + faultNamed(fault).withinSeconds(boundary, leaseSeconds),
      0,
    );
  const untilMs = startedMs + limitSeconds * 1_000;
  const answered = () =>
    failure !== undefined || (begun && world.pending() === 0 && hasReceipts(world, life));
  const struckNow = () =>
    plans.map((plan, index) => ({
      ...plan,
      earlier: hits[index]?.earlier ?? [],
      instance: hits[index]?.instance,
    }));
  let left: string[] = [];
  let seconds = 0;
  for (let inTime = true; inTime; ) {
    inTime = await world.pass(answered, untilMs - livedMs());
    seconds = (livedMs() - startedMs) / 1_000;
    if (inTime) inTime = !(await world.pass(() => false, Math.min(afterMs, untilMs - livedMs())));
    left = await unfinished(world, life, struckNow());
    if (left.length === 0 || livedMs() >= untilMs) break;
  }
  recorder.disarm();
  const found = [...new Set([...left, ...wrongSteps, ...(await violations(world, life, struckNow()))])];
  if (failure !== undefined) found.unshift(`refused: ${(failure as Error).message}`);
  if (left.length > 0) found.unshift(`not over after ${Math.round((livedMs() - startedMs) / 1_000)} s`);
  return {
    plans,
    unfired: hits.filter(({ fired }) => !fired).length,
    violations: found,
    boundaries: recorder.seen,
    seconds,
    trace: recorder.trace,
  };
}

/** The receiver has every last receipt. */
function hasReceipts({ networks }: World, life: Life): boolean {
  if (heardFaults(networks.posted, life).length > 0) return false;
  return outcomesOf(life).some(({ endings }) =>
    endings.every((ending) => lastReceiptFaults(networks.posted, ending).length === 0),
  );
}

function hitOf({ boundary, fault }: Plan, world: World, leaseSeconds: number): Hit {
  const { moment, strike } = faultNamed(fault);
  return {
    boundary,
    moment,
    strike: (at) => strike(at, world, leaseSeconds),
    fired: false,
    earlier: [],
    instance: undefined,
  };
}

export function faultNamed(name: string): Fault {
  const fault = faults.find((one) => one.name === name);
  if (fault === undefined) throw new Error(`no fault is called ${name}`);
  return fault;
}

export const between = '  and  ';

export function wordsOf(plans: readonly Plan[]): string {
  return plans.map(({ boundary, fault }) => `${words(boundary)} × ${fault}`).join(between);
}
