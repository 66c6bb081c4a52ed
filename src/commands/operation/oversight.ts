/** Commands that inspect a deployment: the audit log, statistics and a health check. */
import { listAudit } from '../../manage/audit.ts';
import { examine } from '../../manage/operation/doctor.ts';
import { type Dimension, dimensionNames, readStats } from '../../manage/operation/stats.ts';
import { CommandError, command } from '../line/command.ts';
import { instantOf } from '../line/instant.ts';

const period = {
  from: { kind: 'text', about: 'since then, such as 2027-01-31T00:00:00Z', value: 'instant' },
  to: { kind: 'text', about: 'before then', value: 'instant' },
} as const;
const team = { kind: 'text', about: 'only this team' } as const;

export const oversightCommands = [
  command({
    words: 'audit',
    about: 'list the newest changes by operators: who, when, what',
    options: {
      team,
      noun: { kind: 'text', about: 'only this kind of thing, such as client' },
      id: { kind: 'text', about: 'only the thing with this id' },
      actor: { kind: 'text', about: 'only changes by this actor', value: 'name' },
      ...period,
      limit: { kind: 'number', min: 1, max: 100, value: 'n', about: 'number of entries; default 100' },
    },
    async run({ team, noun, id, actor, limit, ...given }, context) {
      const [from, to] = [instantOf('from', given.from), instantOf('to', given.to)];
      const filter = { team, noun, nounId: id, actor, from, to, limit };
      const entries = await listAudit(await context.management(), filter);
      return {
        list: entries.map(({ at, actorKind, actorName, action, noun, nounId, teamId, before, after }) => ({
          at: at.toISOString(),
          actor: `${actorName} (${actorKind})`,
          action,
          noun,
          id: nounId,
          team: teamId,
          changes: changesOf(before, after),
        })),
      };
    },
  }),
  command({
    words: 'stats',
    about:
      'count messages, their outcomes and latencies by full hours (UTC); by default of the last 24 hours',
    options: {
      by: { kind: 'text', about: 'what to count by', choices: dimensionNames, required: true },
      team,
      ...period,
    },
    async run({ by, team, ...given }, context) {
      const [from, to] = [instantOf('from', given.from), instantOf('to', given.to)];
      const { items } = await readStats(await context.management(), { by: by as Dimension, team, from, to });
      return { list: items.map(({ key, ...counts }) => ({ [by]: key, ...counts })) };
    },
  }),
  command({
    words: 'doctor',
    about: 'check the deployment: exit code 1 and the name of each check that fails',
    async run(_values, context) {
      const { databaseUrl, dataDirectory } = context.config;
      const checks = await examine(await context.management(), {
        dataDirectory: databaseUrl === undefined ? dataDirectory : undefined,
      });
      const problems = checks.flatMap(({ name, problems }) =>
        problems.map((problem) => `${name}: ${problem}`),
      );
      if (problems.length > 0) throw new CommandError(problems.join('\n'));
      return { list: checks.map(({ name }) => ({ check: name, result: 'ok' })) };
    },
  }),
];

/** What differs, such as `name=Acme`. */
function changesOf(before: object | null, after: object | null): string[] {
  const old = new Map(Object.entries(before ?? {}));
  return Object.entries(after ?? {})
    .filter(([name, value]) => JSON.stringify(old.get(name)) !== JSON.stringify(value))
    .map(([name, value]) => `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .sort();
}
