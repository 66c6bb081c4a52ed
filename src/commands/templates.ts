/** Commands for SMS templates: add, change, approve, archive. */
import type { Database } from '../db/knex.ts';
import {
  editTemplate,
  findManagedService,
  findTemplate,
  insertTemplate,
  judgeTemplate,
  listTemplates,
  setTemplateStatus,
  type TemplateSummary,
} from '../sms/template-repository.ts';
import { faultsOfDefinition } from '../templates/definition.ts';
import { editedTemplate, type TemplateEdit } from '../templates/edit.ts';
import { type TemplateCategory, type TemplateStatus, templateCategories } from '../templates/template.ts';
import { CommandError, command, UsageError } from './command.ts';
import { listByTeam, requireTeam } from './teams.ts';
import { definitionsOf, parameterOptions } from './template-parameters.ts';
import { templateStates } from './template-states.ts';

const { shown, status, approval } = templateStates({
  noun: 'template',
  find: findTemplate,
  summaryOf,
  setStatus: setTemplateStatus,
  setApproval: judgeTemplate,
  whyNot: () => 'is not pending approval',
});

export const templateCommands = [
  command({
    words: 'template add',
    about: 'add an SMS template; with a managed sender it needs approval',
    positionals: { template: 'id of the new template' },
    options: {
      team: { kind: 'text', about: 'owning team', required: true },
      content: {
        kind: 'text',
        about: 'the text, with placeholders such as {{name}}',
        value: 'text',
        required: true,
      },
      category: {
        kind: 'text',
        about: 'template category',
        choices: templateCategories,
        required: true,
      },
      description: { kind: 'text', about: 'description for people', value: 'text' },
      sender: { kind: 'text', about: 'key of the managed sender that sends it', value: 'key' },
      ...parameterOptions,
    },
    async run({ template: id, team, sender, ...values }, context) {
      const category = values.category as TemplateCategory;
      const { content, description } = values;
      const paramDefinitions = definitionsOf(values);
      const faults = faultsOfDefinition({ content, paramDefinitions });
      if (faults.length > 0) throw new UsageError(faults);
      const database = await context.database();
      await requireTeam(database, team);
      if (sender !== undefined) await requireManaged(database.knex, sender, category);
      const inserted = await insertTemplate(database.knex, {
        id,
        teamId: team,
        content,
        description: description ?? null,
        category,
        status: 'Active',
        approvalStatus: sender === undefined ? 'APPROVED' : 'PENDING',
        ...(sender === undefined ? {} : { managedServiceKey: sender }),
        paramDefinitions,
      });
      if (!inserted) throw new CommandError(`template ${id} already exists`);
      return shown(context, id);
    },
  }),
  command({
    words: 'template set',
    about:
      'change an SMS template; options that you omit stay unchanged. With a managed sender it needs approval again when its content, category or sender changes',
    positionals: { template: 'id of the template' },
    options: {
      content: { kind: 'text', about: 'the text, with placeholders such as {{name}}', value: 'text' },
      category: { kind: 'text', about: 'template category', choices: templateCategories },
      description: { kind: 'text', about: 'description for people', value: 'text' },
      sender: { kind: 'text', about: 'key of the managed sender that sends it', value: 'key' },
      'no-sender': { kind: 'flag', about: 'use the sender of the service' },
      status: { kind: 'text', about: 'whether it can be sent', choices: ['Active', 'Archived'] },
      ...parameterOptions,
      'no-params': { kind: 'flag', about: 'remove the rules of all parameters' },
    },
    async run({ template: id, description, ...values }, context) {
      const edit = editOf(values);
      if ([description, ...Object.values(edit)].every((value) => value === undefined))
        throw new CommandError('nothing to change: see tarishi template set --help');
      const { knex } = await context.database();
      const changed = await editTemplate(knex, id, async (before, trx) => {
        const after = { ...editedTemplate(before, edit), description: description ?? before.description };
        const faults = faultsOfDefinition(after);
        if (faults.length > 0) throw new UsageError(faults);
        const { managedServiceKey: key, category } = after;
        const moved = key !== before.managedServiceKey || category !== before.category;
        if (key !== undefined && moved) await requireManaged(trx, key, category);
        return after;
      });
      if (changed === undefined) throw new CommandError(`template ${id} does not exist`);
      return shown(context, id);
    },
  }),
  listByTeam('template list', 'list the SMS templates', async ({ knex }, team) =>
    (await listTemplates(knex, team)).map(summaryOf),
  ),
  approval('template approve', 'approve a pending SMS template', 'APPROVED'),
  approval('template reject', 'reject a pending SMS template', 'REJECTED'),
  status('template archive', 'archive an SMS template', 'Archived'),
  status('template restore', 'restore an archived SMS template', 'Active'),
];

function summaryOf({ id, teamId, managedServiceKey, ...rest }: TemplateSummary) {
  const { category, status, approvalStatus, content } = rest;
  return { template: id, team: teamId, category, status, approvalStatus, sender: managedServiceKey, content };
}

/** Options that describe parameters describe all of them: those until now are dropped. */
function editOf(given: {
  content: string | undefined;
  category: string | undefined;
  status: string | undefined;
  sender: string | undefined;
  'no-sender': boolean;
  param: string[];
  optional: string[];
  default: string[];
  'no-params': boolean;
}): TemplateEdit {
  const definitions = definitionsOf(given);
  const clashes = [
    ...(given['no-sender'] && given.sender !== undefined
      ? ['--sender and --no-sender cannot be combined']
      : []),
    ...(given['no-params'] && definitions.length > 0
      ? ['--no-params cannot be combined with --param, --optional or --default']
      : []),
  ];
  if (clashes.length > 0) throw new UsageError(clashes);
  return {
    content: given.content,
    category: given.category as TemplateCategory | undefined,
    status: given.status as TemplateStatus | undefined,
    managedServiceKey: given['no-sender'] ? null : given.sender,
    paramDefinitions: given['no-params'] || definitions.length > 0 ? definitions : undefined,
  };
}

async function requireManaged(
  knex: Database['knex'],
  key: string,
  category: TemplateCategory,
): Promise<void> {
  const managed = await findManagedService(knex, key);
  if (managed === undefined) throw new CommandError(`managed sender ${key} does not exist`);
  if (managed.category !== category)
    throw new CommandError(`managed sender ${key} is for ${managed.category} templates`);
}
