/** Applies approval updates from a network to its templates. */
import { createHash } from 'node:crypto';
import type { Knex } from 'knex';
import { type QuarantineEvents, type Round, recordIsolated } from '../../../platform/isolation/record.ts';
import type { ChatAppTemplate } from './template.ts';

/** What a network says of a template that it knows by name and language. */
export interface ApprovalNews {
  name: string;
  language: string;
  approvalStatus: ChatAppTemplate['approvalStatus'];
  comment?: string;
  /** By the network's clock; absent: when we got it. */
  occurredAt?: Date;
}

/** News with the connector that they came from. */
export interface ConnectorNews {
  connector: string;
  news: ApprovalNews;
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
export async function recordApprovals(
  knex: Knex,
  events: QuarantineEvents,
  connector: string,
  news: readonly ApprovalNews[],
): Promise<void> {
  const all = news.map((one) => ({ connector, news: one }));
  await recordIsolated(knex, events, (_trx, each) =>
    each(templateNews, all, async (trx, some) => {
      for (const one of some) await recordApproval(trx, one);
      return [];
    }),
  );
}

/**
 * Changes only templates of teams that send through this connector. News older than the newest decision changes
 * nothing: networks send it late, and anybody who saw a signed call can repeat it. Times are whole seconds, so of two
 * decisions in one second the one that approves nothing stands, in either order.
 */
export async function recordApproval(knex: Knex, { connector, news }: ConnectorNews): Promise<void> {
  const { name, language, approvalStatus, comment = null, occurredAt = null } = news;
  await knex.raw(
    `update chatapp_templates
       set approval_status = :approvalStatus, review_comment = :comment, updated_at = service_now(),
         approval_decided_at = news.at
       from (select least(:occurredAt::timestamptz, service_now()) as at) as news
       where name = :name and language = :language
         and (approval_decided_at is null or news.at > approval_decided_at
           or news.at = approval_decided_at and approval_status = 'APPROVED')
         and team_id in (
           select s.team_id from chatapp_numbers n join chatapp_services s on s.id = n.service_id
           where n.connector = :connector)`,
    { name, language, approvalStatus, comment, occurredAt, connector },
  );
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
