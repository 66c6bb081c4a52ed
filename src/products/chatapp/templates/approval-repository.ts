/** Applies what a network says of its templates: their approval and their category. */
import { createHash } from 'node:crypto';
import type { Knex } from 'knex';
import { type QuarantineEvents, type Round, recordIsolated } from '../../../platform/isolation/record.ts';
import type { ChatAppTemplate } from './template.ts';

interface Named {
  name: string;
  language: string;
  /** By the network's clock; absent: when we got it. */
  occurredAt?: Date;
}
export type ApprovalNews = Named & { approvalStatus: ChatAppTemplate['approvalStatus']; comment?: string };
export type CategoryNews = Named & { category: ChatAppTemplate['category'] };

/** What a network says of a template that it knows by name and language. */
export type TemplateNews = ApprovalNews | CategoryNews;

/** A template whose category its network changed. */
export interface ChangedCategory {
  connector: string;
  templateId: string;
  teamId: string;
  before: ChatAppTemplate['category'];
  after: ChatAppTemplate['category'];
}

/** Notes a change for the audit log, in the transaction that makes it. */
export type NoteCategory = (trx: Knex, changed: ChangedCategory) => Promise<void>;

/** News with the connector that they came from. */
export interface ConnectorNews<News = TemplateNews> {
  connector: string;
  news: News;
}

const templateNews: Round<ConnectorNews> = {
  describe: (payload) => ({
    round: 'template-news',
    // Networks repeat calls that got no 200: the same news is one item.
    item: createHash('sha256').update(JSON.stringify(payload)).digest('hex'),
    messageId: null,
    payload,
  }),
};

/** Resolves once all news is recorded, or in quarantine. */
export async function recordTemplateNews(
  { knex, events, noteCategory }: { knex: Knex; events: QuarantineEvents; noteCategory: NoteCategory },
  connector: string,
  news: readonly TemplateNews[],
): Promise<void> {
  const recordOne = createRecordOne(noteCategory);
  const all = news.map((one) => ({ connector, news: one }));
  await recordIsolated(knex, events, (_trx, each) =>
    each(templateNews, all, async (trx, some) => {
      for (const one of some) await recordOne(trx, one);
      return [];
    }),
  );
}

/** Records one, also of those that were in quarantine. */
export const createRecordOne =
  (noteCategory: NoteCategory) =>
  async (trx: Knex, { connector, news }: ConnectorNews): Promise<void> => {
    if ('approvalStatus' in news) return recordApproval(trx, { connector, news });
    for (const changed of await recordCategory(trx, { connector, news })) await noteCategory(trx, changed);
  };

/** SQL: the teams that send through the connector. */
const teamsOfConnector = `select s.team_id from chatapp_numbers n join chatapp_services s on s.id = n.service_id
           where n.connector = :connector`;

/**
 * Changes only templates of teams that send through this connector. News older than the newest decision changes
 * nothing: networks send it late, and anybody who saw a signed call can repeat it. Times are whole seconds, so of two
 * decisions in one second the one that approves nothing stands, in either order.
 */
async function recordApproval(knex: Knex, { connector, news }: ConnectorNews<ApprovalNews>): Promise<void> {
  const { name, language, approvalStatus, comment = null, occurredAt = null } = news;
  await knex.raw(
    `update chatapp_templates
       set approval_status = :approvalStatus, review_comment = :comment, updated_at = service_now(),
         approval_decided_at = news.at
       from (select least(:occurredAt::timestamptz, service_now()) as at) as news
       where name = :name and language = :language
         and (approval_decided_at is null or news.at > approval_decided_at
           or news.at = approval_decided_at and approval_status = 'APPROVED')
         and team_id in (${teamsOfConnector})`,
    { name, language, approvalStatus, comment, occurredAt, connector },
  );
}

/**
 * Under the same conditions; of two categories in one second MARKETING stands, which opt-outs and quiet hours hold for. What
 * waits in the queue goes by the new category.
 */
async function recordCategory(
  knex: Knex,
  { connector, news }: ConnectorNews<CategoryNews>,
): Promise<ChangedCategory[]> {
  const { name, language, category, occurredAt = null } = news;
  const { rows } = await knex.raw<{ rows: ChangedCategory[] }>(
    `with news as (
       select least(:occurredAt::timestamptz, service_now()) as at
     ), known as materialized (
       select id, category from chatapp_templates, news
       where name = :name and language = :language and team_id in (${teamsOfConnector})
         and (category_decided_at is null or news.at > category_decided_at
           or news.at = category_decided_at and :category = 'MARKETING')
       order by id for update of chatapp_templates
     ), changed as (
       update chatapp_templates t
       set category = :category, category_decided_at = news.at,
         updated_at = case when known.category = :category then t.updated_at else service_now() end
       from known, news where t.id = known.id
       returning t.id, t.team_id, known.category as before
     )
     select :connector as connector, id as "templateId", team_id as "teamId", before, :category as after from changed
     where before <> :category order by id`,
    { name, language, category, occurredAt, connector },
  );
  return rows;
}

/** Decided now: older news from the network change nothing. */
export async function setApproval(
  knex: Knex,
  id: string,
  approvalStatus: ChatAppTemplate['approvalStatus'],
  comment: string | undefined,
): Promise<void> {
  await knex('chatapp_templates')
    .where({ id })
    .update({
      approval_status: approvalStatus,
      review_comment: comment ?? null,
      approval_decided_at: knex.raw('service_now()'),
      updated_at: knex.raw('service_now()'),
    });
}
