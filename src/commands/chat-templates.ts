/** Commands for chat-app templates, which must match those approved at the network. */
import { type Definition, faultsOfDefinition, parameterFormatOf } from '../chatapp/templates/definition.ts';
import {
  findDefinition,
  findTemplate,
  insertTemplate,
  listTemplates,
  setApproval,
  setTemplateStatus,
  type TemplateSummary,
  updateTemplate,
} from '../chatapp/templates/template-repository.ts';
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
  whyNot: (next) => `is already ${next}`,
});

const category = { kind: 'text', about: 'template category', choices: templateCategories } as const;
const language = {
  kind: 'text',
  about: 'language of the template at the network',
  matching: { rule: /^[a-z]{2,3}(_[A-Za-z]{2,4})?$/, words: 'a language such as en, en_US or sw' },
} as const;
const file = {
  kind: 'text',
  about: 'JSON file with body, header, footer, buttons, limitedTimeOffer, carousel',
} as const;
const nameRule = { rule: /^[a-z0-9_]{1,512}$/, words: 'a name of lowercase letters, digits and _' };

export const chatTemplateCommands = [
  command({
    words: 'chat-template add',
    about: 'add a chat-app template; the network or an operator must approve it',
    positionals: { template: 'id of the new template' },
    options: {
      team: { kind: 'text', about: 'owning team', required: true },
      category: { ...category, required: true },
      language: { ...language, required: true },
      file: { ...file, required: true },
      name: {
        kind: 'text',
        about: 'name of the template at the network; default: the id in lowercase, with _ instead of -',
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
      if (!inserted) throw new CommandError(`chat-app template ${id} already exists`);
      return shown(context, id);
    },
  }),
  command({
    words: 'chat-template set',
    about: 'change a chat-app template; options that you omit stay unchanged, and it needs approval again',
    positionals: { template: 'its id' },
    options: {
      category,
      language,
      file,
      name: { kind: 'text', about: 'name of the template at the network', matching: nameRule },
    },
    async run({ template: id, category, language, file, name }, context) {
      if ([category, language, file, name].every((value) => value === undefined))
        throw new CommandError('nothing to change: give --category, --language, --file or --name');
      const written = file === undefined ? undefined : readTemplateFile(file);
      const { knex } = await context.database();
      const before = await findDefinition(knex, id);
      if (before === undefined) throw new CommandError(`chat-app template ${id} does not exist`);
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
  approval('chat-template approve', 'mark a chat-app template as approved by the network', 'APPROVED'),
  approval('chat-template reject', 'mark a chat-app template as rejected by the network', 'REJECTED'),
  approval('chat-template pause', 'pause a chat-app template until it is approved again', 'PAUSED'),
  status('chat-template archive', 'archive a chat-app template', 'Archived'),
  status('chat-template restore', 'restore an archived chat-app template', 'Active'),
];

function requireFaultless(definition: Definition): void {
  const faults = faultsOfDefinition(definition);
  if (faults.length > 0) throw new UsageError(faults);
}

function summaryOf({ id, teamId, name, language, category, ...rest }: TemplateSummary) {
  const { status, approvalStatus, comment, body } = rest;
  return { template: id, team: teamId, name, language, category, status, approvalStatus, comment, body };
}
