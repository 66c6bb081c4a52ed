/** Commands for SMS services. */
import {
  changeSmsService,
  createSmsService,
  listSmsServices,
  type SmsServiceEdit,
} from '../../manage/messaging/sms-services.ts';
import { ranges, rules, serviceStatuses } from '../../manage/rules.ts';
import { CommandError, command } from '../line/command.ts';
import { listByTeam } from '../line/list-by-team.ts';

const validity = {
  kind: 'number',
  min: 1,
  max: ranges.validitySeconds.max / 60,
  value: 'minutes',
  about: 'minutes that its messages and bundles wait for their network before they fail and are refunded',
} as const;

export const serviceCommands = [
  command({
    words: 'service add',
    about: 'add an SMS service',
    positionals: { service: 'id of the new service, used in /message/{serviceId}' },
    options: {
      team: { kind: 'text', about: 'owning team', required: true },
      sender: {
        kind: 'text',
        about: 'sender that recipients see',
        required: true,
        matching: rules.sender,
      },
      name: { kind: 'text', about: 'display name; default: the id' },
      validity,
    },
    async run({ service: id, team: teamId, sender, name, validity: minutes }, context) {
      const validitySeconds = secondsOf(minutes);
      const fresh = { id, teamId, sender, name, validitySeconds };
      return { one: summaryOf(await createSmsService(await context.management(), fresh)) };
    },
  }),
  command({
    words: 'service set',
    about: 'change an SMS service; options that you omit stay unchanged',
    positionals: { service: 'its id' },
    options: {
      sender: { kind: 'text', about: 'sender that recipients see', matching: rules.sender },
      name: { kind: 'text', about: 'display name' },
      validity,
      'default-validity': {
        kind: 'flag',
        about: 'use MESSAGE_VALIDITY_SECONDS',
      },
      status: { kind: 'text', about: 'whether it accepts requests', choices: serviceStatuses },
    },
    async run({ service: id, sender, name, validity: minutes, status, ...given }, context) {
      if (minutes !== undefined && given['default-validity'])
        throw new CommandError('--validity and --default-validity cannot be combined');
      const edit = {
        sender,
        name,
        status: status as SmsServiceEdit['status'],
        validitySeconds: given['default-validity'] ? null : secondsOf(minutes),
      };
      if (Object.values(edit).every((value) => value === undefined))
        throw new CommandError('nothing to change: see tarishi service set --help');
      return { one: summaryOf(await changeSmsService(await context.management(), id, edit)) };
    },
  }),
  listByTeam('service list', 'list the SMS services', async (management, filter) =>
    (await listSmsServices(management, filter)).map(summaryOf),
  ),
];

const secondsOf = (minutes: number | undefined) => (minutes === undefined ? undefined : minutes * 60);

function summaryOf({
  id,
  teamId,
  name,
  sender,
  status,
  validitySeconds,
}: Awaited<ReturnType<typeof createSmsService>>) {
  const validity = validitySeconds === null ? null : validitySeconds / 60;
  return { service: id, team: teamId, name, sender, status, validity };
}
