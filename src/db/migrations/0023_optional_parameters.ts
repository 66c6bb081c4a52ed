/** A template parameter can only be optional if it has a default. */
import type { Knex } from 'knex';

export async function up(trx: Knex): Promise<void> {
  // `\\?` is a question mark for Knex.
  await trx.raw(`
    alter table sms_templates
      add constraint sms_templates_optional_check check (not jsonb_path_exists(
        param_definitions, '$[*] \\? (@.required == false && !exists(@.default))'
      ))
  `);
}
