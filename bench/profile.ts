/** Reads a V8 CPU profile and says in which room the time was spent. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

interface CpuProfile {
  nodes: { id: number; callFrame: { functionName: string; url: string } }[];
  samples: number[];
  timeDeltas: number[];
}

/** Shares of the busy time of the given profile, largest first; start-up and idle time are left out. */
export function roomsOf(profile: CpuProfile): [room: string, share: number][] {
  const roomById = new Map(profile.nodes.map(({ id, callFrame }) => [id, roomOf(callFrame)]));
  const byRoom = new Map<string, number>();
  // What comes before the first request is start-up.
  const first = profile.samples.findIndex((id) => roomById.get(id) === 'handlers');
  let busy = 0;
  profile.samples.forEach((id, index) => {
    const room = roomById.get(id) ?? 'other';
    if (room === 'idle' || index < first) return;
    const time = profile.timeDeltas[index] ?? 0;
    busy += time;
    byRoom.set(room, (byRoom.get(room) ?? 0) + time);
  });
  return [...byRoom].map(([room, time]): [string, number] => [room, time / busy]).sort((a, b) => b[1] - a[1]);
}

/** The profile of the main thread: of the directory's profiles the one that saw our HTTP server. */
export function mainProfile(directory: string): CpuProfile {
  const profiles = readdirSync(directory)
    .filter((name) => name.endsWith('.cpuprofile'))
    .map((name): CpuProfile => JSON.parse(readFileSync(join(directory, name), 'utf8')));
  const main = profiles.find(({ nodes }) =>
    nodes.some(({ callFrame }) => callFrame.url.endsWith('/src/main.ts')),
  );
  if (main === undefined) throw new Error(`no profile of src/main.ts in ${directory}`);
  return main;
}

function roomOf({ functionName, url }: { functionName: string; url: string }): string {
  if (functionName === '(idle)') return 'idle';
  if (functionName === '(garbage collector)') return 'garbage collection';
  if (functionName === '(program)' || url === '') return 'node: native';
  const packageName = /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url)?.[1];
  if (packageName !== undefined) return packageName;
  const own = /\/(src\/[^/]+|handlers)/.exec(url)?.[1];
  if (own !== undefined) return own;
  return url.startsWith('node:') ? `node: ${url.slice(5).split('/').slice(-1)}` : 'other';
}
