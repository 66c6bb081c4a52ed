/** Commands for managed senders: senders of the operator's own, each for one category of SMS templates. */
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
    about: 'add a sender that approved SMS templates of one category go out from, whatever their service',
    positionals: { key: 'its key, as template add --sender names it' },
    options: {
      category: {
        kind: 'text',
        about: 'what its templates are for',
        choices: templateCategories,
        required: true,
      },
      sender: {
        kind: 'text',
        about: 'what recipients see as the sender',
        required: true,
        matching: senderRule,
      },
      name: { kind: 'text', about: 'how people call it; by default its key' },
    },
    async run({ key, category, sender, name = key }, context) {
      const { knex } = await context.database();
      const fresh = { key, name, category: category as TemplateCategory, sender };
      if (!(await insertManagedService(knex, fresh)))
        throw new CommandError(`there is a managed sender ${key} already`);
      return { one: summaryOf(fresh) };
    },
  }),
  command({
    words: 'managed-sender set',
    about: 'change a managed sender; what is not given stays, and so does the approval of its templates',
    positionals: { key: 'its key' },
    options: {
      category: {
        kind: 'text',
        about: 'what its templates are for; those of another category are refused from then on',
        choices: templateCategories,
      },
      sender: { kind: 'text', about: 'what recipients see as the sender', matching: senderRule },
      name: { kind: 'text', about: 'how people call it' },
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
      if (managed === undefined) throw new CommandError(`there is no managed sender ${key}`);
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
