/** Commands shared by SMS and chat-app templates: archive, restore, change the approval. */
import type { Management } from '../../manage/management.ts';
import type { TemplateStatus } from '../../templates/template.ts';
import type { Cell } from '../line/answer.ts';
import { type Command, command } from '../line/command.ts';

export interface TemplateKind<Template, Approval extends string> {
  summaryOf: (template: Template) => Record<string, Cell>;
  setStatus: (management: Management, id: string, status: TemplateStatus) => Promise<Template>;
  review: (
    management: Management,
    id: string,
    review: { decision: Approval; comment: string | undefined },
  ) => Promise<Template>;
}

export interface TemplateStates<Approval extends string> {
  status: (words: string, about: string, next: TemplateStatus) => Command;
  approval: (words: string, about: string, next: Approval) => Command;
}

export function templateStates<Template, Approval extends string>({
  summaryOf,
  setStatus,
  review,
}: TemplateKind<Template, Approval>): TemplateStates<Approval> {
  const positionals = { template: 'id of the template' };
  return {
    status: (words, about, next) =>
      command({
        words,
        about,
        positionals,
        async run({ template: id }, context) {
          return { one: summaryOf(await setStatus(await context.management(), id, next)) };
        },
      }),
    approval: (words, about, decision) =>
      command({
        words,
        about,
        positionals,
        options: { comment: { kind: 'text', about: 'comment for the owner', value: 'text' } },
        async run({ template: id, comment }, context) {
          return { one: summaryOf(await review(await context.management(), id, { decision, comment })) };
        },
      }),
  };
}
