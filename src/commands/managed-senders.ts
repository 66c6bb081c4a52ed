/** Commands for managed senders, which the operator owns, each for one category of SMS templates. */
import {
  findManagedService,
  insertManagedService,
  listManagedServices,
  updateManagedService,
} from '../sms/template-repository.ts';
import { type ManagedService, type TemplateCategory, templateCategories } from '../templates/template.ts';
import { CommandError, command } from './command.ts';
import { senderRule } from './sms-services.ts';

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
        matching: senderRule,
      },
      name: { kind: 'text', about: 'display name; default: the key' },
    },
    async run({ key, category, sender, name = key }, context) {
      const { knex } = await context.database();
      const fresh = { key, name, category: category as TemplateCategory, sender };
      if (!(await insertManagedService(knex, fresh)))
        throw new CommandError(`managed sender ${key} already exists`);
      return { one: summaryOf(fresh) };
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
      sender: { kind: 'text', about: 'sender that recipients see', matching: senderRule },
      name: { kind: 'text', about: 'display name' },
    },
    async run({ key, category, sender, name }, context) {
      if (category === undefined && sender === undefined && name === undefined)
        throw new CommandError('nothing to change: give --category, --sender or --name');
      const { knex } = await context.database();
      await updateManagedService(knex, key, {
        category: category as TemplateCategory | undefined,
        sender,
        name,
      });
      const managed = await findManagedService(knex, key);
      if (managed === undefined) throw new CommandError(`managed sender ${key} does not exist`);
      return { one: summaryOf(managed) };
    },
  }),
  command({
    words: 'managed-sender list',
    about: 'list the managed senders',
    async run(_values, context) {
      const { knex } = await context.database();
      return { list: (await listManagedServices(knex)).map(summaryOf) };
    },
  }),
];

function summaryOf({ key, name, category, sender }: ManagedService) {
  return { key, name, category, sender };
}
