/** Commands for SMS services. */
import {
  findService,
  insertService,
  listServices,
  type StoredSmsService,
  updateService,
} from '../sms/service-repository.ts';
import { CommandError, command } from './command.ts';
import { listByTeam, requireTeam } from './teams.ts';

/** 3GPP TS 23.040, 9.1.2.5: a name has up to 11 characters; else it is a number or a short code. */
export const senderRule = {
  rule: /^(?=.*[A-Za-z])[A-Za-z0-9][A-Za-z0-9 ._-]{0,10}$|^\+?\d{3,15}$/,
  words: 'a name of up to 11 letters, digits, spaces, . _ and -, or a number',
};

const validity = {
  kind: 'number',
  min: 1,
  max: 14 * 24 * 60,
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
        matching: senderRule,
      },
      name: { kind: 'text', about: 'display name; default: the id' },
      validity,
    },
    async run({ service: id, team, sender, name = id, validity: minutes }, context) {
      const database = await context.database();
      await requireTeam(database, team);
      const fresh = { id, teamId: team, name, sender, validitySeconds: secondsOf(minutes) ?? null };
      if (!(await insertService(database.knex, fresh)))
        throw new CommandError(`service ${id} already exists`);
      return { one: summaryOf({ ...fresh, status: 'Active' }) };
    },
  }),
  command({
    words: 'service set',
    about: 'change an SMS service; options that you omit stay unchanged',
    positionals: { service: 'its id' },
    options: {
      sender: { kind: 'text', about: 'sender that recipients see', matching: senderRule },
      name: { kind: 'text', about: 'display name' },
      validity,
      'default-validity': {
        kind: 'flag',
        about: 'use MESSAGE_VALIDITY_SECONDS',
      },
      status: { kind: 'text', about: 'whether it accepts requests', choices: ['Active', 'Inactive'] },
    },
    async run({ service: id, sender, name, validity: minutes, status, ...given }, context) {
      if (minutes !== undefined && given['default-validity'])
        throw new CommandError('--validity and --default-validity cannot be combined');
      const change = {
        sender,
        name,
        status: status as StoredSmsService['status'] | undefined,
        validitySeconds: given['default-validity'] ? null : secondsOf(minutes),
      };
      if (Object.values(change).every((value) => value === undefined))
        throw new CommandError('nothing to change: see tarishi service set --help');
      const { knex } = await context.database();
      await updateService(knex, id, change);
      const service = await findService(knex, id);
      if (service === undefined) throw new CommandError(`service ${id} does not exist`);
      return { one: summaryOf(service) };
    },
  }),
  listByTeam('service list', 'list the SMS services', async ({ knex }, team) =>
    (await listServices(knex, team)).map(summaryOf),
  ),
];

const secondsOf = (minutes: number | undefined) => (minutes === undefined ? undefined : minutes * 60);

function summaryOf({ id, teamId, name, sender, status, validitySeconds }: StoredSmsService) {
  const validity = validitySeconds === null ? null : validitySeconds / 60;
  return { service: id, team: teamId, name, sender, status, validity };
}
