/** The command that checks a deployment. */
import { setTimeout as delay } from 'node:timers/promises';
import type { Check } from '../../manage/operation/doctor.ts';
import { commandName } from '../../process/command-name.ts';
import type { Cell } from '../line/answer.ts';
import { command } from '../line/command.ts';

export const doctorCommands = [
  command({
    words: 'doctor',
    about: 'check the deployment; exit code 1 if something is wrong',
    async run(_values, context) {
      const { examine } = await import('../../manage/operation/doctor.ts');
      const { noteEveryMs } = await import('../../process/presence.ts');
      const { databaseUrl, dataDirectory, retentionDays, production, senders, archiveUrl } = context.config;
      const checks = await examine(await context.management(), {
        dataDirectory: databaseUrl === undefined ? dataDirectory : undefined,
        retentionDays,
        production,
        senders,
        archiveUrl,
        tarishi: commandName(dataDirectory),
        pause: () => delay(2 * noteEveryMs),
      });
      const failed = checks.some(({ problems }) => problems.length > 0);
      return { list: checks.flatMap(rowsOf), exitCode: failed ? 1 : 0 };
    },
  }),
];

/** One for each problem, or one that says that all is well. */
function rowsOf({ name, problems }: Check): Record<string, Cell>[] {
  if (problems.length === 0) return [{ check: name, result: 'ok', problem: null }];
  return problems.map((problem) => ({ check: name, result: 'failed', problem }));
}
