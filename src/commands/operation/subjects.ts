/** The command that erases what is stored about a person. */
import { eraseSubject } from '../../manage/operation/subjects.ts';
import { rules } from '../../manage/rules.ts';
import { command } from '../line/command.ts';

export const subjectCommands = [
  command({
    words: 'subject erase',
    about: 'erase everything that is stored about a phone number, and count it by table',
    positionals: { phone: 'phone number in E.164 format, such as +254711000000' },
    matching: { phone: { rule: /^\+?[1-9]\d{6,14}$/, words: rules.phone.words } },
    options: { team: { kind: 'text', about: 'only what this team has stored' } },
    async run({ phone, team }, context) {
      const erased = await eraseSubject(await context.management(), {
        phone: `+${phone.replace('+', '')}`,
        team,
      });
      const { inFlight } = erased;
      return {
        one: { ...erased },
        ...(inFlight === 0
          ? {}
          : {
              note: `${inFlight} message(s) are still on their way or announced to a client: a worker erases each when it is done.`,
            }),
      };
    },
  }),
];
