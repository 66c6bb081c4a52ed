/** Commands shared by SMS and chat-app templates: show, archive, restore, change the approval. */
import type { Database } from '../db/knex.ts';
import type { TemplateStatus } from '../templates/template.ts';
import type { Answer, Cell } from './answer.ts';
import { type Command, CommandError, type Context, command } from './command.ts';

type Knex = Database['knex'];

export interface TemplateKind<Template, Approval extends string> {
  /** What sentences call one. */
  noun: string;
  find: (knex: Knex, id: string) => Promise<Template | undefined>;
  summaryOf: (template: Template) => Record<string, Cell>;
  setStatus: (knex: Knex, id: string, status: TemplateStatus) => Promise<boolean>;
  /** False when the approval cannot change so. */
  setApproval: (knex: Knex, id: string, approval: Approval, comment: string | undefined) => Promise<boolean>;
  /** Why it cannot, to stand behind the template's id. */
  whyNot: (approval: Approval) => string;
}

export interface TemplateStates<Approval extends string> {
  shown: (context: Context, id: string) => Promise<Answer>;
  status: (words: string, about: string, next: TemplateStatus) => Command;
  approval: (words: string, about: string, next: Approval) => Command;
}

export function templateStates<Template, Approval extends string>(
  kind: TemplateKind<Template, Approval>,
): TemplateStates<Approval> {
  const positionals = { template: 'id of the template' };

  const shown = async (context: Context, id: string) => {
    const { knex } = await context.database();
    const found = await kind.find(knex, id);
    if (found === undefined) throw new CommandError(`${kind.noun} ${id} does not exist`);
    return { one: kind.summaryOf(found) };
  };

  return {
    shown,
    status: (words, about, next) =>
      command({
        words,
        about,
        positionals,
        async run({ template: id }, context) {
          const { knex } = await context.database();
          await kind.setStatus(knex, id, next);
          return shown(context, id);
        },
      }),
    approval: (words, about, next) =>
      command({
        words,
        about,
        positionals,
        options: { comment: { kind: 'text', about: 'comment for the owner', value: 'text' } },
        async run({ template: id, comment }, context) {
          const { knex } = await context.database();
          const moved = await kind.setApproval(knex, id, next, comment);
          const answer = await shown(context, id);
          if (!moved) throw new CommandError(`${kind.noun} ${id} ${kind.whyNot(next)}`);
          return answer;
        },
      }),
  };
}
