/** Makes room for mobile data and chat-app messages beside SMS. */
import type { Knex } from 'knex';

export async function up(trx: Knex): Promise<void> {
  await trx.raw(`
    alter table messages rename column text to content;
    alter table messages
      add column product text not null default 'sms' check (product in ('sms', 'data', 'chatapp')),
      add column position integer not null default 0,
      alter column account_id drop not null,
      drop constraint messages_state_check,
      add constraint messages_state_check check (state in (
        'Held', 'Cancelled', 'Queued', 'Sending', 'Submitted', 'Sent', 'Delivered', 'Read',
        'DeliveryUncertain', 'DeliveryImpossible', 'SenderBlacklisted', 'SubscriberOptedOut',
        'AbsentSubscriber', 'InvalidMsisdn', 'InvalidDenomination', 'Duplicated', 'Uncertain', 'Failed'));
    alter table messages alter column product drop default, alter column position drop default;

    drop index messages_awaiting_report;
    create index messages_awaiting_report on messages (submitted_at) where state in ('Submitted', 'Sent');

    alter table requests alter column sender drop not null;

    alter table channels add column bundle_connector text;
    update channels set bundle_connector = connector where connector = 'simulator';
  `);
}
