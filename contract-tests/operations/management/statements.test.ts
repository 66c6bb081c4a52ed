/** Statements page by page: while entries are added, as JSON and as CSV, and what an offline check says of them. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { StatementEntry } from '../../../src/ledger/statement.ts';
import { verifyStatement } from '../../../src/manage/units/statements.ts';
import { type Answer, type CallManagement, succeeding } from '../../support/management/caller.ts';
import { type ManagementService, startManagementService } from '../../support/management/service.ts';

let service: ManagementService;
let root: CallManagement;
let posted = 0;

/** Each with a note that CSV has to quote. */
const post = () => {
  posted += 1;
  return root('POST /teams/acme/top-ups', {
    product: 'Sms',
    units: posted,
    reference: `invoice-${posted}`,
    note: `a "quoted", note\r\n${posted}`,
  });
};

beforeAll(async () => {
  service = await startManagementService();
  root = succeeding(await service.user('root', { role: 'owner' }));
  await root('POST /teams', { id: 'acme' });
  for (let entry = 0; entry < 7; entry += 1) await post();
});
afterAll(() => service.close());

/** All pages; `between` runs between two of them. */
async function walk(
  form: 'statement' | 'statement.csv',
  nextOf: (page: Answer) => string | undefined,
  between: () => Promise<unknown> = async () => {},
): Promise<Answer[]> {
  const pages: Answer[] = [];
  let cursor: string | undefined;
  do {
    const at = cursor === undefined ? '' : `&cursor=${encodeURIComponent(cursor)}`;
    const page = await root(`GET /teams/acme/${form}?product=Sms&limit=3${at}`);
    pages.push(page);
    cursor = nextOf(page);
    if (cursor !== undefined && pages.length < 4) await between();
  } while (cursor !== undefined);
  return pages;
}

const jsonPages = (between?: () => Promise<unknown>) => walk('statement', ({ body }) => body.next, between);

test('pages join one another, and show entries that are added meanwhile once', async () => {
  const pages = await jsonPages(post);
  const entries: StatementEntry[] = pages.flatMap(({ body }) => body.entries);
  expect(entries.map(({ position, units }) => [position, units])).toEqual(
    Array.from({ length: posted }, (_, index) => [index + 1, index + 1]),
  );
  for (const [index, { body, text }] of pages.entries()) {
    if (index > 0) expect(body.opening).toEqual(pages[index - 1]?.body.closing);
    expect(verifyStatement(text, undefined)).toMatchObject({ statement: expect.anything() });
  }
});

test('CSV holds the same entries as JSON', async () => {
  const pages = await walk('statement.csv', ({ headers }) => headers.get('next-cursor') ?? undefined);
  const pageRows = pages.map(({ text }) => rowsOf(text));
  const [columns = []] = pageRows[0] ?? [];
  for (const [head] of pageRows) expect(head).toEqual(columns);
  const entries = pageRows
    .flatMap(([, ...rows]) => rows)
    .map((row) => Object.fromEntries(row.map((value, index) => [columns[index], value])));
  const json: StatementEntry[] = (await jsonPages()).flatMap(({ body }) => body.entries);
  expect(entries).toEqual(
    json.map((entry) =>
      Object.fromEntries(columns.map((name) => [name, String(entry[name as keyof StatementEntry] ?? '')])),
    ),
  );
});

/** RFC 4180. */
function rowsOf(csv: string): string[][] {
  const rows: string[][] = [];
  for (const [, quoted, plain = '', end] of csv.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/g)) {
    const row = rows.at(-1);
    const value = quoted?.replaceAll('""', '"') ?? plain;
    if (row === undefined || row.at(-1) === endOfRow) rows.push([value]);
    else row.push(value);
    if (end === '\r\n') rows.at(-1)?.push(endOfRow);
  }
  return rows.map((row) => row.slice(0, -1));
}
const endOfRow = '\0';
