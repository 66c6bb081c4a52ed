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
import {
  type ParamDefinition,
  type ParamFormat,
  type TemplateCategory,
  templateCategories,
} from '../templates/template.ts';
import { CommandError, command, UsageError } from './command.ts';
import { listByTeam, requireTeam } from './teams.ts';
import { templateStates } from './template-states.ts';

const parameterRule = {
  rule: /^\w+(:(PlainText|Alphanumeric|Numeric|Name)(:[1-9]\d{0,2})?)?$/,
  words:
    'a name, :format and :maxLength, such as order:Numeric:10; formats are PlainText, Alphanumeric, Numeric, Name',
};

const { shown, status, approval } = templateStates({
  noun: 'template',
  find: findTemplate,
  summaryOf,
  setStatus: setTemplateStatus,
  setApproval: judgeTemplate,
  whyNot: () => 'does not wait for approval',
});

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
        choices: templateCategories,
        required: true,
      },
      description: { kind: 'text', about: 'what people should know about it', value: 'text' },
      sender: { kind: 'text', about: 'key of the managed sender it goes out from', value: 'key' },
      param: {
        kind: 'list',
        about: `rules of a placeholder: ${parameterRule.words}`,
        matching: parameterRule,
      },
      optional: {
        kind: 'list',
        about: 'a parameter that requests may leave out; it needs a --default',
        value: 'name',
      },
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
  listByTeam('template list', 'list the SMS templates', async ({ knex }, team) =>
    (await listTemplates(knex, team)).map(summaryOf),
  ),
  approval('template approve', 'approve an SMS template that waits for it', 'APPROVED'),
  approval('template reject', 'reject an SMS template that waits for approval', 'REJECTED'),
  status('template archive', 'take an SMS template out of use', 'Archived'),
  status('template restore', 'bring an archived SMS template back into use', 'Active'),
];

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
