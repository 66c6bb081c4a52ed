/** Finds any sealed value, to try a key on. */
import type { Knex } from 'knex';
import { type Place, placeOf } from '../clients/secrets.ts';

/** Undefined in a database that never had a client or a token key. */
export async function sealedValue(knex: Knex): Promise<{ sealed: string; place: Place } | undefined> {
  const { rows } = await knex.raw<{
    rows: { sealed: string; kind: 'tokenKey' | 'signingSecret'; row: string }[];
  }>(
    `select private_jwk as sealed, 'tokenKey' as kind, kid as "row" from token_keys
     union all select signing_secrets ->> 0, 'signingSecret', id from clients where jsonb_array_length(signing_secrets) > 0
     limit 1`,
  );
  const [found] = rows;
  return found && { sealed: found.sealed, place: placeOf[found.kind](found.row) };
}
