/** Commands for managed senders, which the operator owns, each for one category of SMS templates. */
import {
  changeManagedSender,
  createManagedSender,
  listManagedSenders,
} from '../../manage/messaging/managed-senders.ts';
import { rules } from '../../manage/rules.ts';
import { type TemplateCategory, templateCategories } from '../../templates/template.ts';
import { CommandError, command } from '../line/command.ts';

export const managedSenderCommands = [
  command({
    words: 'managed-sender add',
    about:
      'add a sender for approved SMS templates of one category, used instead of the sender of the service',
    positionals: { key: 'key of the managed sender, used in template add --sender' },
    options: {
      category: {
        kind: 'text',
        about: 'category of its templates',
        choices: templateCategories,
        required: true,
      },
      sender: {
        kind: 'text',
        about: 'sender that recipients see',
        required: true,
        matching: rules.sender,
      },
      name: { kind: 'text', about: 'display name; default: the key' },
    },
    async run({ key, category, sender, name }, context) {
      const fresh = { key, name, category: category as TemplateCategory, sender };
      return { one: summaryOf(await createManagedSender(await context.management(), fresh)) };
    },
  }),
  command({
    words: 'managed-sender set',
    about: 'change a managed sender; options that you omit stay unchanged, and its templates stay approved',
    positionals: { key: 'its key' },
    options: {
      category: {
        kind: 'text',
        about: 'category of its templates; requests with other templates are then rejected',
        choices: templateCategories,
      },
      sender: { kind: 'text', about: 'sender that recipients see', matching: rules.sender },
      name: { kind: 'text', about: 'display name' },
    },
    async run({ key, category, sender, name }, context) {
      if (category === undefined && sender === undefined && name === undefined)
        throw new CommandError('nothing to change: give --category, --sender or --name');
      const edit = { category: category as TemplateCategory | undefined, sender, name };
      return { one: summaryOf(await changeManagedSender(await context.management(), key, edit)) };
    },
  }),
  command({
    words: 'managed-sender list',
    about: 'list the managed senders',
    async run(_values, context) {
      return { list: (await listManagedSenders(await context.management())).map(summaryOf) };
    },
  }),
];

function summaryOf({ key, name, category, sender }: Awaited<ReturnType<typeof createManagedSender>>) {
  return { key, name, category, sender };
}
