/** Stores the changes that operators make to connectors. */
import type { Knex } from 'knex';
import { awaitingReport } from '../../model/states.ts';

/** Until it is resumed. */
export async function pauseConnector(knex: Knex, name: string, reason: string): Promise<void> {
  await knex('connectors')
    .where({ name })
    .update({
      paused: true,
      paused_reason: reason,
      paused_at: knex.raw('service_now()'),
      paused_until: null,
    });
}

export async function resumeConnector(knex: Knex, name: string): Promise<void> {
  await knex('connectors')
    .where({ name })
    .update({ paused: false, paused_reason: null, paused_at: null, paused_until: null, notices: '{}' });
}

/** What processes last said of it. */
export async function deleteStates(knex: Knex, name: string): Promise<void> {
  await knex('connector_states').where({ connector: name }).delete();
}

/** Messages that it submitted, or may have, and whose outcome it has yet to report. */
export async function countAwaited(knex: Knex, connector: string): Promise<number> {
  const { rows } = await knex.raw<{ rows: { messages: number }[] }>(
    `select count(*)::integer as messages from (${awaitingReport('id', 'connector = :connector')}) as awaiting`,
    { connector },
  );
  return rows[0]?.messages ?? 0;
}

/** The services that let it deliver messages of phones. */
export async function servicesNaming(knex: Knex, connector: string): Promise<string[]> {
  const { rows } = await knex.raw<{ rows: { use: string }[] }>(
    `select 'inboundConnectors of service ' || id as use from services
     where inbound_connectors @> to_jsonb(?::text) order by id`,
    [connector],
  );
  return rows.map(({ use }) => use);
}

/** What goes through each connector, such as `Sms/Safaricom`. */
export async function usesOfConnectors(knex: Knex): Promise<Map<string, string[]>> {
  const { rows } = await knex.raw<{ rows: { connector: string; uses: string[] }[] }>(
    `select connector, array_agg(use order by use) as uses from (
       select connector, 'Sms/' || name as use from channels
       union all select bundle_connector, 'MobileData/' || name from channels where bundle_connector is not null
       union all select connector, 'ChatApp/' || id from chatapp_numbers
       union select one ->> 'connector', case product when 'sms' then 'Sms/' else 'MobileData/' end || channel
         from routes, jsonb_array_elements(routes.via) as v(one)
     ) as used group by connector`,
  );
  return new Map(rows.map(({ connector, uses }) => [connector, uses]));
}
