/** Gathers what is to leave into a segment: requests, messages of phones and ledger entries, team by team. */
import type { Knex } from 'knex';
import { type DueAccount, findDueAccounts, readSealed } from '../ledger/cut-repository.ts';
import type { Parts } from '../platform/isolation/parts.ts';
import {
  type DueTeam,
  daysOfTeam,
  findDueTeams,
  type Leaver,
  leavers,
  type Periods,
  type Place,
  readLeaving,
} from './leaving-repository.ts';
import type { LedgerLine, LineFacts, SegmentWriter } from './segment.ts';

/** How far the walk through each team's rows has come. */
export type Places = Readonly<Record<Leaver, Map<string, Place>>>;

export interface GatherDependencies {
  knex: Knex;
  periods: Periods;
  /** By the ids of teams and accounts. */
  parts: Parts;
  /** Called after each batch, with how long it took. */
  rest: (tookMs: number) => Promise<void>;
  /** Of a segment, compressed, about. */
  segmentBytes: number;
}

interface Found {
  line: string;
  facts: LineFacts;
}

/** Messages of a batch, about: so many are read, and deleted, in one statement. Others wait that long for a processor. */
export const messagesTogether = 200;

/** Adds lines until the segment is full. Returns whether it is, and how far each walk came. */
export async function gather(
  dependencies: GatherDependencies,
  segment: SegmentWriter,
): Promise<{ full: boolean; places: Places }> {
  const places: Places = { requests: new Map(), inbound: new Map() };
  const isFull = () => segment.bytes() >= dependencies.segmentBytes;
  const add = async (found: readonly Found[]) => {
    for (const { line, facts } of found) await segment.add(line, facts);
    return isFull();
  };
  for (const leaver of leavers)
    if (await gatherRows(dependencies, leaver, places[leaver], add)) return { full: true, places };
  return { full: await gatherEntries(dependencies, add), places };
}

type Add = (found: readonly Found[]) => Promise<boolean>;

async function gatherRows(
  { knex, periods, parts, rest }: GatherDependencies,
  leaver: Leaver,
  places: Map<string, Place>,
  add: Add,
): Promise<boolean> {
  let [together, full, after] = [50, false, ''];
  const gatherBatch = async (team: DueTeam) => {
    const rows = await readLeaving(knex, leaver, { ...team, ...places.get(team.teamId) }, together);
    full = await add(rows.flatMap(({ line, facts }) => (line === null ? [] : [{ line, facts }])));
    const last = rows.at(-1);
    if (last !== undefined) places.set(team.teamId, { at: last.at, id: last.id });
    const more = rows.length === together;
    const messages = rows.reduce((sum, { facts }) => sum + (facts.rows?.messages ?? 1), 0);
    if (messages > 0) together = Math.max(1, Math.floor((messagesTogether * rows.length) / messages));
    return more;
  };
  for (;;) {
    const teams = await findDueTeams(knex, leaver, after, periods);
    for (const team of teams)
      if (
        await inBatches(
          parts,
          team.teamId,
          rest,
          () => gatherBatch(team),
          () => full,
        )
      )
        return true;
    const last = teams.at(-1);
    if (last === undefined) return false;
    after = last.teamId;
  }
}

async function gatherEntries({ knex, periods, parts, rest }: GatherDependencies, add: Add): Promise<boolean> {
  let [full, after] = [false, '0'];
  const cuts = new Map<string, number>();
  const gatherBatch = async (account: DueAccount) => {
    const sealed = await readSealed(knex, account, cuts.get(account.id) ?? account.cut);
    full = await add(sealed.map(({ range, statement }) => lineOf({ kind: 'ledger', range, statement })));
    const last = sealed.at(-1);
    if (last !== undefined) cuts.set(account.id, last.range.number);
    return last !== undefined;
  };
  for (;;) {
    const accounts = await findDueAccounts(knex, after, daysOfTeam, { ...periods });
    for (const account of accounts) {
      const part = `account ${account.id}`;
      if (
        await inBatches(
          parts,
          part,
          rest,
          () => gatherBatch(account),
          () => full,
        )
      )
        return true;
    }
    const last = accounts.at(-1);
    if (last === undefined) return false;
    after = last.id;
  }
}

/** Until a part has no more, or the segment is full. Returns whether it is. */
async function inBatches(
  parts: Parts,
  part: string,
  rest: GatherDependencies['rest'],
  gatherBatch: () => Promise<boolean>,
  isFull: () => boolean,
): Promise<boolean> {
  for (let more = !parts.resting().includes(part); more && !isFull(); ) {
    const startedMs = performance.now();
    more = await parts.run(part, gatherBatch);
    await rest(performance.now() - startedMs);
  }
  return isFull();
}

function lineOf(line: LedgerLine): Found {
  const { teamId, entries } = line.statement;
  const times = entries.map(({ at }) => at).sort();
  const [from = '', through = from] = [times[0], times.at(-1)];
  return {
    line: JSON.stringify(line),
    facts: { team: teamId, rows: { ledgerEntries: entries.length }, from, through },
  };
}
