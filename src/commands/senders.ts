/** Commands for the phone numbers that send chat-app messages. */
import { insertNumber, listNumbers, updateNumber } from '../chatapp/number-repository.ts';
import { CommandError, command } from './command.ts';
import { requireConnector } from './connector-for.ts';

const phone = {
  kind: 'text',
  about: 'its phone number, such as +254711000000',
  matching: { rule: /^\+[1-9]\d{6,14}$/, words: 'a phone number in E.164 format, such as +254711000000' },
} as const;
const connector = { kind: 'text', about: 'connector for its messages' } as const;
const sender = { sender: "the network's id of the number (phoneNumberId)" };

export const senderCommands = [
  command({
    words: 'sender add',
    about: 'add a phone number that sends chat-app messages',
    positionals: sender,
    options: {
      service: { kind: 'text', about: 'id of its chat-app service', required: true },
      phone: { ...phone, required: true },
      connector: { ...connector, required: true },
    },
    async run({ sender, service, phone, connector }, context) {
      const database = await context.database();
      await requireConnector(database, connector, 'chatapp');
      if (!(await insertNumber(database.knex, { id: sender, serviceId: service, phone, connector })))
        throw new CommandError(`sender ${sender} already exists, or chat-app service ${service} does not`);
      return { one: { sender, service, phone, connector } };
    },
  }),
  command({
    words: 'sender set',
    about: 'change the phone number or connector of a sender',
    positionals: sender,
    options: { phone, connector },
    async run({ sender, phone, connector }, context) {
      const database = await context.database();
      if (phone === undefined && connector === undefined)
        throw new CommandError('nothing to change: give --phone or --connector');
      if (connector !== undefined) await requireConnector(database, connector, 'chatapp');
      const change = { ...(phone && { phone }), ...(connector && { connector }) };
      if (!(await updateNumber(database.knex, sender, change)))
        throw new CommandError(`sender ${sender} does not exist`);
      return { one: { sender, ...change } };
    },
  }),
  command({
    words: 'sender list',
    about: 'list the phone numbers that send chat-app messages',
    async run(_values, context) {
      const { knex } = await context.database();
      return {
        list: (await listNumbers(knex)).map(({ id, serviceId, phone, connector }) => ({
          sender: id,
          service: serviceId,
          phone,
          connector,
        })),
      };
    },
  }),
];
