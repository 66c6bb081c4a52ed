/** Commands for services: what SMS are sent through. */
import { insertService, listServices, type StoredSmsService } from '../sms/service-repository.ts';
import { CommandError, command } from './command.ts';
import { requireTeam } from './teams.ts';

/** 3GPP TS 23.040, 9.1.2.5: a name has up to 11 characters; else it is a number or a short code. */
const senderRule = {
  rule: /^(?=.*[A-Za-z])[A-Za-z0-9][A-Za-z0-9 ._-]{0,10}$|^\+?\d{3,15}$/,
  words: 'a name of up to 11 letters, digits, spaces, . _ and -, or a number',
};

export const serviceCommands = [
  command({
    words: 'service add',
    about: 'add an SMS service',
    positionals: { service: 'id of the new service, as it stands in /message/{serviceId}' },
    options: {
      team: { kind: 'text', about: 'whose it is', required: true },
      sender: {
        kind: 'text',
        about: 'what recipients see as the sender',
        required: true,
        matching: senderRule,
      },
      name: { kind: 'text', about: 'how people call it; by default its id' },
    },
    async run({ service: id, team, sender, name = id }, context) {
      const database = await context.database();
      await requireTeam(database, team);
      if (!(await insertService(database.knex, { id, teamId: team, name, sender })))
        throw new CommandError(`there is a service ${id} already`);
      return { one: summaryOf({ id, teamId: team, name, sender, status: 'Active' }) };
    },
  }),
  command({
    words: 'service list',
    about: 'list the SMS services',
    options: { team: { kind: 'text', about: 'of this team only' } },
    async run({ team }, context) {
      const database = await context.database();
      await requireTeam(database, team);
      return { list: (await listServices(database.knex, team)).map(summaryOf) };
    },
  }),
];

function summaryOf({ id, teamId, name, sender, status }: StoredSmsService) {
  return { service: id, team: teamId, name, sender, status };
}
