/** Commands for the archive that old rows leave for: list, verify and find. */
import type { Wanted } from '../../archive/find.ts';
import type { Config } from '../../process/config.ts';
import { command } from '../line/command.ts';
import { CommandError, UsageError } from '../line/errors.ts';

/** Throws a CommandError if there is none. */
export async function archiveOf({ archiveUrl }: Config) {
  if (archiveUrl === undefined) throw new CommandError('ARCHIVE_URL is not set: there is no archive');
  const { openArchive } = await import('../../archive/open-archive.ts');
  return openArchive(archiveUrl);
}

const instant = {
  kind: 'text',
  value: 'time',
  matching: {
    rule: /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d))?$/,
    words: 'a date, or a time of RFC 3339',
  },
} as const;

export const archiveCommands = [
  command({
    words: 'archive list',
    about: 'list the segments of the archive',
    async run(_values, { config }) {
      const { readManifests } = await import('../../archive/find.ts');
      const list = [];
      for await (const { number, file, bytes, rows, from, through } of readManifests(await archiveOf(config)))
        list.push({ segment: number, from, through, ...rows, bytes, file });
      return { list };
    },
  }),
  command({
    words: 'archive verify',
    about: 'check that no segment is missing and none was altered; exit code 1 and what is wrong',
    options: {
      alone: {
        kind: 'flag',
        about: 'without the database, which alone knows of the last segments',
      },
    },
    async run({ alone }, context) {
      const { readSegments } = await import('../../archive/segment-repository.ts');
      const { verifyArchive } = await import('../../archive/verify.ts');
      const store = await archiveOf(context.config);
      const known = alone ? undefined : readSegments((await context.management()).knex);
      const { faults, ledgers, rows, ...found } = await verifyArchive(store, known);
      if (faults.length > 0) throw new CommandError(faults.join('\n'));
      return { one: { ...found, from: found.from ?? null, through: found.through ?? null, ...rows } };
    },
  }),
  command({
    words: 'archive adopt',
    about: 'go on in an archive that has lost files for good; lists the segments that are lost',
    async run(_values, context) {
      const { adoptArchive } = await import('../../manage/operation/adopt-archive.ts');
      const lost = await adoptArchive(await context.management(), await archiveOf(context.config));
      return { list: lost.map((segment) => ({ lost: segment })) };
    },
  }),
  command({
    words: 'archive find',
    about:
      'print archived requests with their ledger entries, and messages of phones: one JSON document a line',
    options: {
      request: {
        kind: 'text',
        about: 'id of a request',
        value: 'id',
        matching: { rule: /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/, words: 'the id of a request' },
      },
      phone: {
        kind: 'text',
        about: 'of messages to or from this number: needs the database and SECRET_KEY',
        matching: { rule: /^\+[1-9]\d{6,14}$/, words: 'a number such as +254711000000' },
      },
      team: { kind: 'text', about: 'of this team' },
      from: { ...instant, about: 'accepted or received then or later' },
      to: { ...instant, about: 'accepted or received before' },
    },
    prints: false,
    async run({ request: requestId, phone, team, from, to }, context) {
      if (requestId === undefined && phone === undefined)
        throw new UsageError(['--request or --phone is required']);
      const { findInArchive } = await import('../../archive/find.ts');
      const store = await archiveOf(context.config);
      const hash =
        phone === undefined ? undefined : (await (await context.management()).secrets()).hashPhone(phone);
      return { parts: linesFor({ requestId, phone: hash, team, from, to }) };

      async function* linesFor(wanted: Wanted) {
        for await (const line of findInArchive(store, wanted)) yield `${line}\n`;
      }
    },
  }),
];
