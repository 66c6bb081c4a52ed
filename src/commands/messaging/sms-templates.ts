/** Commands for SMS templates: add, change, approve, archive. */
import {
  changeSmsTemplate,
  createSmsTemplate,
  listSmsTemplates,
  reviewSmsTemplate,
  type SmsTemplateEdit,
} from '../../manage/messaging/sms-templates.ts';
import { templateStatuses } from '../../manage/rules.ts';
import { type TemplateCategory, type TemplateStatus, templateCategories } from '../../templates/template.ts';
import { CommandError, command, UsageError } from '../line/command.ts';
import { listByTeam } from '../line/list-by-team.ts';
import { definitionsOf, parameterOptions } from './template-parameters.ts';
import { templateStates } from './template-states.ts';

type Template = Awaited<ReturnType<typeof createSmsTemplate>>;

const { status, approval } = templateStates<Template, 'APPROVED' | 'REJECTED'>({
  summaryOf,
  setStatus: (management, id, next) => changeSmsTemplate(management, id, { status: next }),
  review: reviewSmsTemplate,
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
      const { content, description } = values;
      const template = await createSmsTemplate(await context.management(), {
        id,
        teamId: team,
        content,
        description,
        category: values.category as TemplateCategory,
        managedServiceKey: sender,
        paramDefinitions: definitionsOf(values),
      });
      return { one: summaryOf(template) };
    },
  }),
  command({
    words: 'template set',
    alias: 'edit',
    about:
      'change an SMS template; options that you omit stay unchanged. With a managed sender it needs approval again when its content, category or sender changes',
    positionals: { template: 'id of the template' },
    options: {
      content: { kind: 'text', about: 'the text, with placeholders such as {{name}}', value: 'text' },
      category: { kind: 'text', about: 'template category', choices: templateCategories },
      description: { kind: 'text', about: 'description for people', value: 'text' },
      sender: { kind: 'text', about: 'key of the managed sender that sends it', value: 'key' },
      'no-sender': { kind: 'flag', about: 'use the sender of the service' },
      status: { kind: 'text', about: 'whether it can be sent', choices: templateStatuses },
      ...parameterOptions,
      'no-params': { kind: 'flag', about: 'remove the rules of all parameters' },
    },
    async run({ template: id, description, ...values }, context) {
      const edit = { ...editOf(values), description };
      if (Object.values(edit).every((value) => value === undefined))
        throw new CommandError('nothing to change: see tarishi template set --help');
      return { one: summaryOf(await changeSmsTemplate(await context.management(), id, edit)) };
    },
  }),
  listByTeam('template list', 'list the SMS templates', async (management, filter) =>
    (await listSmsTemplates(management, filter)).map(summaryOf),
  ),
  approval('template approve', 'approve a pending SMS template', 'APPROVED'),
  approval('template reject', 'reject a pending SMS template', 'REJECTED'),
  status('template archive', 'archive an SMS template', 'Archived'),
  status('template restore', 'restore an archived SMS template', 'Active'),
];

function summaryOf({ id, teamId, managedServiceKey, ...rest }: Template) {
  const { category, status, approvalStatus, content } = rest;
  const sender = managedServiceKey ?? null;
  return { template: id, team: teamId, category, status, approvalStatus, sender, content };
}

/** Options that describe parameters describe all of them: earlier descriptions are dropped. */
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
}): SmsTemplateEdit {
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
