/** Commands for chat-app templates: kept as their network approved them. */
import { type Definition, faultsOfDefinition, parameterFormatOf } from '../chatapp/definition.ts';
import {
  findDefinition,
  findTemplate,
  insertTemplate,
  listTemplates,
  setApproval,
  setTemplateStatus,
  type TemplateSummary,
  updateTemplate,
} from '../chatapp/template-repository.ts';
import { type TemplateCategory, templateCategories } from '../templates/template.ts';
import { readTemplateFile } from './chat-template-file.ts';
import { CommandError, command, UsageError } from './command.ts';
import { listByTeam, requireTeam } from './teams.ts';
import { templateStates } from './template-states.ts';

const { shown, status, approval } = templateStates({
  noun: 'chat-app template',
  find: findTemplate,
  summaryOf,
  setStatus: setTemplateStatus,
  setApproval,
  whyNot: (next) => `is ${next} already`,
});

const category = { kind: 'text', about: 'what it is for', choices: templateCategories } as const;
const language = {
  kind: 'text',
  about: 'its language, as the network knows it',
  matching: { rule: /^[a-z]{2,3}(_[A-Za-z]{2,4})?$/, words: 'a language such as en, en_US or sw' },
} as const;
const file = {
  kind: 'text',
  about: 'a JSON file with its body, header, footer, buttons, limitedTimeOffer, carousel',
} as const;
const nameRule = { rule: /^[a-z0-9_]{1,512}$/, words: 'a name of small letters, digits and _' };

export const chatTemplateCommands = [
  command({
    words: 'chat-template add',
    about: 'add a chat-app template; it waits until the network, or an operator, approves it',
    positionals: { template: 'id of the new template' },
    options: {
      team: { kind: 'text', about: 'whose it is', required: true },
      category: { ...category, required: true },
      language: { ...language, required: true },
      file: { ...file, required: true },
      name: {
        kind: 'text',
        about: 'its name, as the network knows it; by default its id in small letters, with _ for -',
        matching: nameRule,
      },
    },
    async run({ template: id, team, language, file, ...values }, context) {
      const { name = id.toLowerCase().replaceAll('-', '_') } = values;
      const definition = { ...readTemplateFile(file), category: values.category as TemplateCategory };
      requireFaultless(definition);
      const database = await context.database();
      await requireTeam(database, team);
      const inserted = await insertTemplate(database.knex, {
        ...definition,
        id,
        teamId: team,
        name,
        language,
        parameterFormat: parameterFormatOf(definition),
        status: 'Active',
        approvalStatus: 'PENDING',
      });
      if (!inserted) throw new CommandError(`there is a chat-app template ${id} already`);
      return shown(context, id);
    },
  }),
  command({
    words: 'chat-template set',
    about: 'change a chat-app template; what is not given stays, and it waits for approval again',
    positionals: { template: 'its id' },
    options: {
      category,
      language,
      file,
      name: { kind: 'text', about: 'its name, as the network knows it', matching: nameRule },
    },
    async run({ template: id, category, language, file, name }, context) {
      if ([category, language, file, name].every((value) => value === undefined))
        throw new CommandError('nothing to change: give --category, --language, --file or --name');
      const written = file === undefined ? undefined : readTemplateFile(file);
      const { knex } = await context.database();
      const before = await findDefinition(knex, id);
      if (before === undefined) throw new CommandError(`there is no chat-app template ${id}`);
      const definition: Definition = {
        ...(written ?? before),
        category: (category as TemplateCategory | undefined) ?? before.category,
      };
      requireFaultless(definition);
      const parameterFormat = parameterFormatOf(definition);
      await updateTemplate(knex, id, { ...definition, parameterFormat, name, language });
      return shown(context, id);
    },
  }),
  listByTeam('chat-template list', 'list the chat-app templates', async ({ knex }, team) =>
    (await listTemplates(knex, team)).map(summaryOf),
  ),
  approval('chat-template approve', 'say that the network approved a chat-app template', 'APPROVED'),
  approval('chat-template reject', 'say that the network rejected a chat-app template', 'REJECTED'),
  approval('chat-template pause', 'stop the sending of a chat-app template until it is approved', 'PAUSED'),
  status('chat-template archive', 'take a chat-app template out of use', 'Archived'),
  status('chat-template restore', 'bring an archived chat-app template back into use', 'Active'),
];

function requireFaultless(definition: Definition): void {
  const faults = faultsOfDefinition(definition);
  if (faults.length > 0) throw new UsageError(faults);
}

function summaryOf({ id, teamId, name, language, category, ...rest }: TemplateSummary) {
  const { status, approvalStatus, comment, body } = rest;
  return { template: id, team: teamId, name, language, category, status, approvalStatus, comment, body };
}
