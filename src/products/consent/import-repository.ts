/** Files of opt-outs: their parts are stored at once, and read line by line in the background, each line once. */
import type { Knex } from 'knex';
import {
  addFaulty,
  type FaultyLine,
  faultyValues,
  isWritten,
  linesOf,
  type PartOutcome,
  storeOnce,
} from '../import-parts-repository.ts';
import { orUserId, type PhoneParser } from '../phone/parse.ts';
import type { OptOutScope, OptOutSource, OptOutTarget } from './opt-out.ts';

/** How far an import is. It is done when as many lines are read as there are. */
export interface OptOutImport extends OptOutScope {
  /** Its name, which is unique in its team. */
  id: string;
  target: OptOutTarget;
  parts: number;
  /** Lines that are not empty, and those of them that were read: added, unchanged or invalid. */
  lines: number;
  read: number;
  added: number;
  unchanged: number;
  invalid: number;
  /** The first 100 invalid lines. */
  problems: readonly FaultyLine[];
  createdAt: Date;
}

export type NewImport = OptOutScope & Pick<OptOutImport, 'id' | 'target'>;

const linesPerChunk = 1_000;
/** Stores a part to be read. In a transaction. */
export async function storePart(
  trx: Knex.Transaction,
  { id, product, teamId, serviceId, target }: NewImport,
  part: number,
  text: string,
): Promise<PartOutcome> {
  const file = { name: id, product, team_id: teamId, service_id: serviceId, target };
  return storeOnce(trx, 'opt_out', { file, part, text }, async (columns) => {
    await trx('opt_out_import_parts').insert(columns);
    const { import_id } = columns;
    const lines = linesOf(text);
    const chunks = [];
    for (let first = 0; first < lines.length; first += linesPerChunk)
      chunks.push({
        import_id,
        part,
        first_line: first + 1,
        lines: lines.slice(first, first + linesPerChunk).join('\n'),
      });
    await trx.batchInsert('opt_out_import_chunks', chunks, 100);
    await trx('opt_out_imports').where({ id: import_id }).increment('lines', lines.filter(isWritten).length);
  });
}

export interface ImportDependencies {
  knex: Knex;
  parsePhone: PhoneParser;
  /** Adds numbers to the list; returns those that were new. */
  add: (
    trx: Knex.Transaction,
    phones: readonly string[],
    scope: OptOutScope & { target: OptOutTarget; source: OptOutSource },
  ) => Promise<readonly unknown[]>;
}

/**
 * Reads up to 1,000 lines; returns whether there may be more. They are taken and added in one transaction: a process that is
 * killed in the middle of it has read none of them.
 */
export async function readImports({ knex, parsePhone, add }: ImportDependencies): Promise<boolean> {
  return knex.transaction(async (trx) => {
    const chunk = await takeChunk(trx);
    if (chunk === undefined) return false;
    const { phones, problems } = numbersIn(
      chunk,
      chunk.scope.product === 'chatapp' ? orUserId(parsePhone) : parsePhone,
    );
    const added = await add(trx, phones, { ...chunk.scope, source: 'Operator' });
    await trx.raw(
      `update opt_out_imports set added = added + :added, unchanged = unchanged + :unchanged,
         read_at = service_now(), ${addFaulty}
       where id = :id`,
      {
        id: chunk.importId,
        added: added.length,
        unchanged: phones.length - added.length,
        ...faultyValues(problems),
      },
    );
    return true;
  });
}

interface Chunk {
  importId: string;
  part: number;
  firstLine: number;
  lines: string;
  scope: OptOutScope & { target: OptOutTarget };
}

/** Other processes take others. */
async function takeChunk(trx: Knex.Transaction): Promise<Chunk | undefined> {
  const { rows } = await trx.raw<{ rows: (Omit<Chunk, 'scope'> & Chunk['scope'])[] }>(
    `with taken as (
       select import_id, part, first_line from opt_out_import_chunks
       order by import_id, part, first_line limit 1 for update skip locked
     ), gone as (
       delete from opt_out_import_chunks c using taken
       where (c.import_id, c.part, c.first_line) = (taken.import_id, taken.part, taken.first_line) returning c.*
     )
     select gone.import_id as "importId", gone.part, gone.first_line as "firstLine", gone.lines,
       i.product, i.team_id as "teamId", i.service_id as "serviceId", i.target
     from gone join opt_out_imports i on i.id = gone.import_id`,
  );
  const [row] = rows;
  if (row === undefined) return undefined;
  const { importId, part, firstLine, lines, ...scope } = row;
  return { importId, part, firstLine, lines, scope };
}

function numbersIn({ part, firstLine, lines }: Chunk, parsePhone: PhoneParser) {
  const phones: string[] = [];
  const problems: FaultyLine[] = [];
  for (const [place, line] of lines.split('\n').entries()) {
    if (!isWritten(line)) continue;
    const phone = parsePhone(firstColumn(line));
    if (phone === undefined) problems.push({ part, line: firstLine + place });
    else phones.push(phone);
  }
  return { phones, problems };
}

/** A number alone, or the first column of a table, quoted or not. */
function firstColumn(line: string): string {
  const [first = ''] = line.split(/[,;\t]/, 1);
  return first.replaceAll('"', '').trim();
}

/** What a list of imports is in the order of. */
export interface ImportPlace {
  id: string;
  teamId: string | null;
}

/** By name, behind the import `after`. `teamId` undefined: those of every team and of the platform. */
export async function listImports(
  knex: Knex,
  {
    teamId,
    after,
    limit,
  }: { teamId?: string | undefined; after?: ImportPlace | undefined; limit?: number | undefined },
): Promise<OptOutImport[]> {
  const { rows } = await knex.raw<{ rows: OptOutImport[] }>(
    `${imports} where (:teamId::text is null or team_id = :teamId)
       and (:name::text is null or (name, coalesce(team_id, '')) > (:name, :team))
     order by name, coalesce(team_id, '') limit :limit`,
    { teamId: teamId ?? null, name: after?.id ?? null, team: after?.teamId ?? '', limit: limit ?? null },
  );
  return rows;
}

/** `teamId` null: of the platform. */
export async function findImport(knex: Knex, { id, teamId }: ImportPlace): Promise<OptOutImport | undefined> {
  const { rows } = await knex.raw<{ rows: OptOutImport[] }>(
    `${imports} where name = ? and team_id is not distinct from ?`,
    [id, teamId],
  );
  return rows[0];
}

const imports = `select name as id, product, team_id as "teamId", service_id as "serviceId", target, lines, added,
  unchanged, invalid, added + unchanged + invalid as read, problems, created_at as "createdAt",
  (select count(*)::integer from opt_out_import_parts where import_id = i.id) as parts from opt_out_imports i`;

/** Lines that wait although none was read for some time. */
export interface Standstill {
  /** The import that is next. */
  id: string;
  teamId: string | null;
  /** Lines of all imports, at least. */
  lines: number;
  seconds: number;
}

/** One import is read after the other: none stands still while lines of any are read. Undefined: no line waits. */
export async function findStandstill(knex: Knex): Promise<Standstill | undefined> {
  const { rows } = await knex.raw<{ rows: Standstill[] }>(
    `select name as id, team_id as "teamId",
       (select sum(lines - added - unchanged - invalid)::float8 from opt_out_imports
        where lines > added + unchanged + invalid) as lines,
       greatest(extract(epoch from service_now() - greatest(
         (select max(read_at) from opt_out_imports), next.stored_at)), 0)::float8 as seconds
     from (select import_id, stored_at from opt_out_import_chunks
           order by import_id, part, first_line limit 1) as next
     join opt_out_imports i on i.id = next.import_id`,
  );
  return rows[0];
}
