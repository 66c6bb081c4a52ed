/** Remembers when a template's approval was last decided, so that older news of its network change nothing. */
import type { Knex } from 'knex';

export async function up(trx: Knex): Promise<void> {
  await trx.raw('alter table chatapp_templates add column approval_decided_at timestamptz');
}
