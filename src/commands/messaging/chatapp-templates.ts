/** Commands for chat-app templates, which must match those approved at the network. */
import { importChatAppTemplates } from '../../manage/messaging/chatapp-import.ts';
import {
  changeChatAppTemplate,
  createChatAppTemplate,
  listChatAppTemplates,
  reviewChatAppTemplate,
  setChatAppTemplateStatus,
} from '../../manage/messaging/chatapp-templates.ts';
import { rules } from '../../manage/rules.ts';
import { type TemplateCategory, templateCategories } from '../../templates/template.ts';
import { CommandError, command } from '../line/command.ts';
import { listByTeam } from '../line/list-by-team.ts';
import { readTemplateFile } from './chatapp-template-file.ts';
import { templateStates } from './template-states.ts';

type Template = Awaited<ReturnType<typeof createChatAppTemplate>>;

const { status, approval } = templateStates<Template, 'APPROVED' | 'REJECTED' | 'PAUSED'>({
  summaryOf,
  setStatus: setChatAppTemplateStatus,
  review: reviewChatAppTemplate,
});

const category = { kind: 'text', about: 'template category', choices: templateCategories } as const;
const language = {
  kind: 'text',
  about: 'language of the template at the network',
  matching: rules.language,
} as const;
const file = {
  kind: 'text',
  about: 'JSON file with body, header, footer, buttons, limitedTimeOffer, carousel',
} as const;

export const chatAppTemplateCommands = [
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
        matching: rules.networkTemplateName,
      },
    },
    async run({ template: id, team: teamId, language, file, name, category }, context) {
      const components = readTemplateFile(file);
      const template = await createChatAppTemplate(await context.management(), {
        ...components,
        category: category as TemplateCategory,
        id,
        teamId,
        language,
        name,
      });
      return { one: summaryOf(template) };
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
      name: {
        kind: 'text',
        about: 'name of the template at the network',
        matching: rules.networkTemplateName,
      },
    },
    async run({ template: id, category, language, file, name }, context) {
      if ([category, language, file, name].every((value) => value === undefined))
        throw new CommandError('nothing to change: give --category, --language, --file or --name');
      const edit = {
        category: category as TemplateCategory | undefined,
        language,
        name,
        components: file === undefined ? undefined : readTemplateFile(file),
      };
      return { one: summaryOf(await changeChatAppTemplate(await context.management(), id, edit)) };
    },
  }),
  listByTeam('chat-template list', 'list the chat-app templates', async (management, filter) =>
    (await listChatAppTemplates(management, filter)).map(summaryOf),
  ),
  command({
    words: 'chat-template import',
    about: 'import the templates of the WhatsApp account that a connector belongs to',
    options: {
      team: { kind: 'text', about: 'team that gets the templates', required: true },
      connector: { kind: 'text', about: 'connector with the setting businessAccountId', required: true },
    },
    async run({ team: teamId, connector }, context) {
      const imported = await importChatAppTemplates(await context.management(), { teamId, connector });
      return { list: imported.map(({ id, ...rest }) => ({ template: id, ...rest })) };
    },
  }),
  approval('chat-template approve', 'mark a chat-app template as approved by the network', 'APPROVED'),
  approval('chat-template reject', 'mark a chat-app template as rejected by the network', 'REJECTED'),
  approval('chat-template pause', 'pause a chat-app template until it is approved again', 'PAUSED'),
  status('chat-template archive', 'archive a chat-app template', 'Archived'),
  status('chat-template restore', 'restore an archived chat-app template', 'Active'),
];

function summaryOf({ id, teamId, name, language, category, ...rest }: Template) {
  const { status, approvalStatus, reviewComment, body } = rest;
  return {
    template: id,
    team: teamId,
    name,
    language,
    category,
    status,
    approvalStatus,
    comment: reviewComment,
    body: body.text,
  };
}
