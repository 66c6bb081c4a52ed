/** Records what networks say of templates; a category that one of them changed is in the audit log. */
import type { TemplateNews } from '../connectors/contract/inbound.ts';
import { insertAuditEntry } from '../manage/audit-repository.ts';
import {
  createRecordOne,
  type NoteCategory,
  recordTemplateNews,
} from '../products/chatapp/templates/approval-repository.ts';
import type { ProcessContext } from './context.ts';

const noteCategoryIn =
  ({ clock }: Pick<ProcessContext, 'clock'>): NoteCategory =>
  (trx, { connector, templateId, teamId, before, after }) =>
    insertAuditEntry(trx, {
      at: new Date(clock.now()),
      actorKind: 'network',
      actorName: connector,
      action: 'change',
      teamId,
      noun: 'chat-app template',
      nounId: templateId,
      before: { category: before },
      after: { category: after },
    });

/** Resolves once all news is recorded, or in quarantine. */
export const templateNewsIn =
  ({ database: { knex }, events, clock }: ProcessContext) =>
  (connector: string, news: readonly TemplateNews[]): Promise<void> =>
    recordTemplateNews({ knex, events, noteCategory: noteCategoryIn({ clock }) }, connector, news);

/** News that was in quarantine. */
export const recordNewsIn = (context: Pick<ProcessContext, 'clock'>) =>
  createRecordOne(noteCategoryIn(context));
