/** Makes commands that list things of one team, or of all. */
import type { Management } from '../../manage/management.ts';
import type { Cell } from './answer.ts';
import { type Command, command } from './command.ts';

export function listByTeam(
  words: string,
  about: string,
  list: (
    management: Management,
    filter: { team: string | undefined },
  ) => Promise<readonly Record<string, Cell>[]>,
): Command {
  return command({
    words,
    about,
    options: { team: { kind: 'text', about: 'show only this team' } },
    async run({ team }, context) {
      return { list: await list(await context.management(), { team }) };
    },
  });
}
