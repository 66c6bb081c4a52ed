/** Commands for the phone numbers that send chat-app messages. */
import { changeSender, createSender, listSenders } from '../../manage/messaging/senders.ts';
import { rules } from '../../manage/rules.ts';
import { CommandError, command } from '../line/command.ts';

const phone = {
  kind: 'text',
  about: 'its phone number, such as +254711000000',
  matching: rules.phone,
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
    async run({ sender: id, service: serviceId, phone, connector }, context) {
      const fresh = { id, serviceId, phone, connector };
      return { one: summaryOf(await createSender(await context.management(), fresh)) };
    },
  }),
  command({
    words: 'sender set',
    about: 'change the phone number or connector of a sender',
    positionals: sender,
    options: { phone, connector },
    async run({ sender: id, phone, connector }, context) {
      if (phone === undefined && connector === undefined)
        throw new CommandError('nothing to change: give --phone or --connector');
      return { one: summaryOf(await changeSender(await context.management(), id, { phone, connector })) };
    },
  }),
  command({
    words: 'sender list',
    about: 'list the phone numbers that send chat-app messages',
    async run(_values, context) {
      return { list: (await listSenders(await context.management())).map(summaryOf) };
    },
  }),
];

function summaryOf({ id, serviceId, phone, connector }: Awaited<ReturnType<typeof createSender>>) {
  return { sender: id, service: serviceId, phone, connector };
}
