/** Commands for chat-app templates: kept as their network approved them. */
import { faultsOfDefinition, parameterFormatOf } from '../chatapp/definition.ts';
import type { ChatAppApprovalStatus } from '../chatapp/template.ts';
import {
  findTemplate,
  insertTemplate,
  listTemplates,
  setApproval,
  setTemplateStatus,
  type TemplateSummary,
} from '../chatapp/template-repository.ts';
import type { TemplateCategory, TemplateStatus } from '../templates/template.ts';
import type { Answer } from './answer.ts';
import { readTemplateFile } from './chat-template-file.ts';
import { CommandError, type Context, command, UsageError } from './command.ts';
import { requireTeam } from './teams.ts';

const template = { template: 'id of the template' };

export const chatTemplateCommands = [
  command({
    words: 'chat-template add',
    about: 'add a chat-app template; it waits until the network, or an operator, approves it',
    positionals: { template: 'id of the new template' },
    options: {
      team: { kind: 'text', about: 'whose it is', required: true },
      category: {
        kind: 'text',
        about: 'what it is for',
        choices: ['MARKETING', 'UTILITY', 'AUTHENTICATION'],
        required: true,
      },
      language: {
        kind: 'text',
        about: 'its language, as the network knows it',
        matching: { rule: /^[a-z]{2,3}(_[A-Za-z]{2,4})?$/, words: 'a language such as en, en_US or sw' },
        required: true,
      },
      file: {
        kind: 'text',
        about: 'a JSON file with its body, header, footer, buttons, limitedTimeOffer, carousel',
        required: true,
      },
      name: {
        kind: 'text',
        about: 'its name, as the network knows it; by default its id in small letters, with _ for -',
        matching: { rule: /^[a-z0-9_]{1,512}$/, words: 'a name of small letters, digits and _' },
      },
    },
    async run({ template: id, team, language, file, ...values }, context) {
      const { name = id.toLowerCase().replaceAll('-', '_') } = values;
      const definition = { ...readTemplateFile(file), category: values.category as TemplateCategory };
      const faults = faultsOfDefinition(definition);
      if (faults.length > 0) throw new UsageError(faults);
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
    words: 'chat-template list',
    about: 'list the chat-app templates',
    options: { team: { kind: 'text', about: 'of this team only' } },
    async run({ team }, context) {
      const database = await context.database();
      await requireTeam(database, team);
      return { list: (await listTemplates(database.knex, team)).map(summaryOf) };
    },
  }),
  approval('chat-template approve', 'say that the network approved a chat-app template', 'APPROVED'),
  approval('chat-template reject', 'say that the network rejected a chat-app template', 'REJECTED'),
  approval('chat-template pause', 'stop the sending of a chat-app template until it is approved', 'PAUSED'),
  status('chat-template archive', 'take a chat-app template out of use', 'Archived'),
  status('chat-template restore', 'bring an archived chat-app template back into use', 'Active'),
];

function approval(words: string, about: string, next: ChatAppApprovalStatus) {
  return command({
    words,
    about,
    positionals: template,
    options: { comment: { kind: 'text', about: 'what its owner should know', value: 'text' } },
    async run({ template: id, comment }, context) {
      const { knex } = await context.database();
      const moved = await setApproval(knex, id, next, comment);
      const answer = await shown(context, id);
      if (!moved) throw new CommandError(`the chat-app template ${id} is ${next} already`);
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
  if (found === undefined) throw new CommandError(`there is no chat-app template ${id}`);
  return { one: summaryOf(found) };
}

function summaryOf({ id, teamId, name, language, category, ...rest }: TemplateSummary) {
  const { status, approvalStatus, comment, body } = rest;
  return { template: id, team: teamId, name, language, category, status, approvalStatus, comment, body };
}
