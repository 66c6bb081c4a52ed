/** Counts the boundaries of a run as they are crossed, and strikes where the plan says. */
import { elapsedMs, happened } from '../time/virtual-time.ts';
import type { Instance } from './instance.ts';

/** A point where something takes effect or is learnt. Known by what happens there, and how often it has before. */
export interface Boundary {
  kind: 'statement' | 'inside' | 'commit' | 'write' | 'read';
  key: string;
  /** 1 is the first time. */
  nth: number;
}

/** What a fault can do at the boundary where it strikes. */
export interface Strike {
  boundary: Boundary;
  instance: Instance;
  /** Fails without taking effect, by an error of the database. */
  fail: () => Promise<never>;
  /** Ends the connection. */
  cut: () => Promise<never>;
  /** The other side is silent from now on. */
  silence: () => Promise<never>;
  /** This session and those after it may not write until the world says so. */
  readOnly: () => Promise<void>;
}

export interface Hit {
  boundary: Boundary;
  /** Before it takes effect, or after. */
  moment: 'before' | 'after';
  /** When it resolves, all goes on; when it rejects, that is what the caller sees. */
  strike: (at: Strike) => Promise<void>;
  fired: boolean;
  /** The boundaries that had been crossed when it struck. */
  earlier: readonly Boundary[];
  /** The instance that it struck. */
  instance: string | undefined;
}

export interface Recorder {
  /** Nothing is counted or struck before. */
  arm: () => void;
  disarm: () => void;
  armed: () => boolean;
  /** A boundary that is crossed: returns the hit that is planned for it. */
  cross: (
    kind: Boundary['kind'],
    key: string,
    moment: 'before' | 'after',
    instance: Instance,
  ) => Hit | undefined;
  /** Whether any hit is planned before an effect of this kind and key. */
  mayStrikeBefore: (kind: Boundary['kind'], key: string) => boolean;
  /** The boundaries in the order in which they were crossed. */
  seen: readonly Boundary[];
  /** What happened, for people. */
  trace: readonly string[];
  note: (words: string) => void;
  /** Says that a hit strikes now. */
  strikes: (hit: Hit, instance: Instance) => void;
}

const mostTraced = 400;

/** `onCross` is called with every boundary that is crossed. */
export function createRecorder(hits: readonly Hit[], onCross: (boundary: Boundary) => void): Recorder {
  const counts = new Map<string, number>();
  const seen: Boundary[] = [];
  const trace: string[] = [];
  const startedMs = elapsedMs();
  let armed = false;
  const note = (words: string) => {
    if (trace.length < mostTraced)
      trace.push(`${((elapsedMs() - startedMs) / 1_000).toFixed(3)} s  ${words}`);
  };
  const find = (boundary: Boundary, moment: Hit['moment']) =>
    hits.find((hit) => !hit.fired && hit.moment === moment && sameBoundary(hit.boundary, boundary));
  return {
    arm: () => {
      armed = true;
    },
    disarm: () => {
      armed = false;
    },
    armed: () => armed,
    cross: (kind, key, moment, instance) => {
      if (!armed) return undefined;
      happened();
      const name = `${kind} ${key}`;
      // It was counted before it took effect.
      const nth = (counts.get(name) ?? 0) + (moment === 'before' ? 1 : 0);
      const boundary = { kind, key, nth };
      if (moment === 'before') {
        counts.set(name, nth);
        seen.push(boundary);
        note(`${instance.name}  ${words(boundary)}`);
        onCross(boundary);
      }
      const hit = find(boundary, moment);
      if (hit === undefined) return undefined;
      hit.fired = true;
      return hit;
    },
    mayStrikeBefore: (kind, key) =>
      armed &&
      hits.some(
        ({ fired, moment, boundary }) =>
          !fired && moment === 'before' && boundary.kind === kind && boundary.key === key,
      ),
    seen,
    trace,
    note,
    strikes: (hit, instance) => {
      hit.instance = instance.name;
      hit.earlier = seen.filter((boundary) => !sameBoundary(boundary, hit.boundary));
      note(`*** ${hit.moment}`);
    },
  };
}

export function sameBoundary(one: Boundary, other: Boundary): boolean {
  return one.kind === other.kind && one.key === other.key && one.nth === other.nth;
}

export function words({ kind, key, nth }: Boundary): string {
  return `${kind} [${nth}] ${key}`;
}

/** One line, without what differs from run to run. */
export function keyOf(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  let hash = 5_381;
  for (let at = 0; at < line.length; at += 1) hash = (hash * 33 + line.charCodeAt(at)) >>> 0;
  return `${line.slice(0, 90)} #${hash.toString(36)}`;
}
