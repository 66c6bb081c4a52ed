/** The table of numbers that moved to another network with their prefix, as operators import and export it. */
import { faults, ManagementError, requireNone } from '../../platform/errors/management.ts';
import { isWritten, linesOf } from '../../products/import-parts-repository.ts';
import { ColumnFault, formatOf } from '../../products/phone/ported-lines.ts';
import {
  listPorted,
  listPortedImports,
  type NewPortedImport,
  type PortedImport,
  type PortedNumber,
  storePortedPart,
} from '../../products/phone/ported-repository.ts';
import { audit } from '../audit.ts';
import type { Management } from '../management.ts';
import { channels } from './channels.ts';

export interface WrittenPart extends Omit<NewPortedImport, 'codes' | 'parts'> {
  codes?: Readonly<Record<string, string>> | undefined;
  part?: number | undefined;
  parts?: number | undefined;
  lines: string;
}

/** Takes a part of a table; the same part again changes nothing. */
export async function importPart(
  management: Management,
  { part = 1, parts = 1, lines, codes = {}, ...columns }: WrittenPart,
): Promise<PortedImport> {
  const known = new Set((await channels.rows.list(management.knex)).map(({ name }) => name));
  const unknown = [...new Set(Object.values(codes))].filter((name) => !known.has(name));
  requireNone(unknown.map((name) => faults.notFound('channel', name)));
  const given: NewPortedImport = { ...columns, codes, parts };
  if (part > parts) throw new ManagementError([faults.partBeyond(part, parts)]);
  const header = part === 1 ? headerOf(lines, given) : undefined;
  await management.knex.transaction(async (trx) => {
    const outcome = await storePortedPart(trx, given, { part, lines, header });
    if (outcome === 'other') throw new ManagementError([faults.partTaken(given.id, part)]);
    await audit(trx, management, {
      action: 'import',
      noun: 'ported numbers',
      id: given.id,
      team: null,
      before: null,
      after: { ...given, part, repeated: outcome === 'taken' },
    });
  });
  const found = (await listPortedImports(management.knex)).find(({ id }) => id === given.id);
  // A newer table came into use at the same moment.
  if (found === undefined) throw new ManagementError([faults.notFound('ported numbers', given.id)]);
  return found;
}

function headerOf(lines: string, { numberColumn, channelColumn }: NewPortedImport): string {
  const header = linesOf(lines).find(isWritten) ?? '';
  try {
    formatOf(header, { number: numberColumn, channel: channelColumn });
  } catch (error) {
    if (error instanceof ColumnFault) throw new ManagementError([faults.columnMissing(error.message)]);
    throw error;
  }
  return header;
}

/** How many numbers are in use, and the imports: the one in use and those that came after it. */
export async function shown({ knex }: Management): Promise<{ numbers: number; imports: PortedImport[] }> {
  const imports = await listPortedImports(knex);
  return { numbers: imports.find(({ usedSince }) => usedSince !== null)?.numbers ?? 0, imports };
}

/** In the order of the numbers, behind `after`. */
export function exported(
  { knex }: Management,
  page: { after: string | undefined; limit: number },
): Promise<PortedNumber[]> {
  return listPorted(knex, page);
}
