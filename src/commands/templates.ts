/** Commands for SMS templates: made for a team, approved, archived. */
import {
  findManagedService,
  findTemplate,
  insertTemplate,
  judgeTemplate,
  listTemplates,
  setTemplateStatus,
  type TemplateSummary,
} from '../sms/template-repository.ts';
import { faultsOfDefinition } from '../templates/definition.ts';
import type {
  ParamDefinition,
  ParamFormat,
  TemplateCategory,
  TemplateStatus,
} from '../templates/template.ts';
import type { Answer } from './answer.ts';
import { CommandError, type Context, command, UsageError } from './command.ts';
import { requireTeam } from './teams.ts';

const template = { template: 'id of the template' };
const parameterRule = {
  rule: /^\w+(:(PlainText|Alphanumeric|Numeric|Name)(:[1-9]\d{0,2})?)?$/,
  words:
    'a name, :format and :maxLength, such as order:Numeric:10; formats are PlainText, Alphanumeric, Numeric, Name',
};

export const templateCommands = [
  command({
    words: 'template add',
    about: 'add an SMS template; with a managed sender it waits for approval',
    positionals: { template: 'id of the new template' },
    options: {
      team: { kind: 'text', about: 'whose it is', required: true },
      content: {
        kind: 'text',
        about: 'the text, with placeholders such as {{name}}',
        value: 'text',
        required: true,
      },
      category: {
        kind: 'text',
        about: 'what it is for',
        choices: ['MARKETING', 'UTILITY', 'AUTHENTICATION'],
        required: true,
      },
      description: { kind: 'text', about: 'what people should know about it', value: 'text' },
      sender: { kind: 'text', about: 'key of the managed sender it goes out from', value: 'key' },
      param: {
        kind: 'list',
        about: `rules of a placeholder: ${parameterRule.words}`,
        matching: parameterRule,
      },
      optional: { kind: 'list', about: 'a parameter that requests may leave out', value: 'name' },
      default: {
        kind: 'list',
        about: 'what fills a parameter that a request leaves out',
        value: 'name=value',
        matching: { rule: /^\w+=./s, words: 'a name and a value: name=value' },
      },
    },
    async run({ template: id, team, sender, ...values }, context) {
      const category = values.category as TemplateCategory;
      const { content, description } = values;
      const paramDefinitions = definitionsOf(values);
      const faults = faultsOfDefinition({ content, paramDefinitions });
      if (faults.length > 0) throw new UsageError(faults);
      const database = await context.database();
      await requireTeam(database, team);
      if (sender !== undefined) {
        const managed = await findManagedService(database.knex, sender);
        if (managed === undefined) throw new CommandError(`there is no managed sender ${sender}`);
        if (managed.category !== category)
          throw new CommandError(`the managed sender ${sender} is for ${managed.category} templates`);
      }
      const inserted = await insertTemplate(database.knex, {
        id,
        teamId: team,
        content,
        description,
        category,
        status: 'Active',
        approvalStatus: sender === undefined ? 'APPROVED' : 'PENDING',
        ...(sender === undefined ? {} : { managedServiceKey: sender }),
        paramDefinitions,
      });
      if (!inserted) throw new CommandError(`there is a template ${id} already`);
      return shown(context, id);
    },
  }),
  command({
    words: 'template list',
    about: 'list the SMS templates',
    options: { team: { kind: 'text', about: 'of this team only' } },
    async run({ team }, context) {
      const database = await context.database();
      await requireTeam(database, team);
      return { list: (await listTemplates(database.knex, team)).map(summaryOf) };
    },
  }),
  verdict('template approve', 'approve an SMS template that waits for it', 'APPROVED'),
  verdict('template reject', 'reject an SMS template that waits for approval', 'REJECTED'),
  status('template archive', 'take an SMS template out of use', 'Archived'),
  status('template restore', 'bring an archived SMS template back into use', 'Active'),
];

function verdict(words: string, about: string, outcome: 'APPROVED' | 'REJECTED') {
  return command({
    words,
    about,
    positionals: template,
    options: { comment: { kind: 'text', about: 'what its owner should know', value: 'text' } },
    async run({ template: id, comment }, context) {
      const { knex } = await context.database();
      const judged = await judgeTemplate(knex, id, outcome, comment);
      const answer = await shown(context, id);
      if (!judged) throw new CommandError(`the template ${id} does not wait for approval`);
      return answer;
    },
  });
}

function status(words: string, about: string, next: TemplateStatus) {
  return command({
    words,
    about,
    positionals: template,
    async run({ template: id }, context) {
      const { knex } = await context.database();
      await setTemplateStatus(knex, id, next);
      return shown(context, id);
    },
  });
}

async function shown(context: Context, id: string): Promise<Answer> {
  const { knex } = await context.database();
  const found = await findTemplate(knex, id);
  if (found === undefined) throw new CommandError(`there is no template ${id}`);
  return { one: summaryOf(found) };
}

function summaryOf({ id, teamId, managedServiceKey, ...rest }: TemplateSummary) {
  const { category, status, approvalStatus, content } = rest;
  return { template: id, team: teamId, category, status, approvalStatus, sender: managedServiceKey, content };
}

/** The rules of every placeholder that `--param`, `--optional` or `--default` names. */
function definitionsOf({
  param,
  optional,
  default: defaults,
}: {
  param: string[];
  optional: string[];
  default: string[];
}): ParamDefinition[] {
  const definitions = param.map((text): ParamDefinition => {
    const [name = '', format = 'PlainText', maxLength] = text.split(':');
    return {
      name,
      format: format as ParamFormat,
      required: true,
      ...(maxLength === undefined ? {} : { maxLength: Number(maxLength) }),
    };
  });
  const named = (name: string): ParamDefinition => {
    const known = definitions.find((one) => one.name === name);
    if (known !== undefined) return known;
    const added: ParamDefinition = { name, format: 'PlainText', required: true };
    definitions.push(added);
    return added;
  };
  for (const name of optional) named(name).required = false;
  for (const text of defaults) {
    const split = text.indexOf('=');
    named(text.slice(0, split)).default = text.slice(split + 1);
  }
  return definitions;
}
