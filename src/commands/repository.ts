/** Finds any sealed value, to try a key on. */
import type { Knex } from 'knex';

/** Undefined in a database that never had a client or a token key. */
export async function sealedValue(knex: Knex): Promise<string | undefined> {
  const { rows } = await knex.raw<{ rows: { sealed: string }[] }>(
    `select private_jwk as sealed from token_keys
     union all select signing_secrets ->> 0 from clients where jsonb_array_length(signing_secrets) > 0
     limit 1`,
  );
  return rows[0]?.sealed;
}
