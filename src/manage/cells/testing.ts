/** A team for the tests of moves, with a row in every table that moves. */
import type { Knex } from 'knex';
import type { Management } from '../management.ts';
import { topUp } from '../units/accounts.ts';

/** Byte for byte, as the response to a repeated request has to be. */
const accepted = '{ "result":{"requestId" : "1", "units":{"Safaricom":1.0}} }';
export const grants = ['fresh', 'older', 'pending'];

/** A team that has used everything that moves. */
export async function addTeam(management: Management, id: string): Promise<void> {
  const { knex } = management;
  await knex('teams').insert({ id, name: id });
  await knex('users').insert({
    id: `${id}-amina`,
    name: 'Amina',
    team_id: id,
    role: 'admin',
    key_hashes: '[]',
  });
  const scopes = ['message.sms.send.oneway', 'message.read'];
  const json = JSON.stringify;
  await knex('clients').insert({
    ...{ id: `${id}-orders`, team_id: id, name: 'Orders', scopes: json(scopes) },
    ...{ secret_hashes: '["h"]', signing_secrets: '["s"]' },
  });
  await knex('services').insert({ id: `${id}-sms`, team_id: id, name: 'SMS', sender: 'ACME' });
  await knex('managed_services')
    .insert({ key: 'verify', name: 'V', category: 'AUTHENTICATION', sender: 'VERIFY' })
    .onConflict('key')
    .ignore();
  await knex('sms_templates').insert({
    ...{ id: `${id}-code`, team_id: id, content: 'Code {{1}}', category: 'AUTHENTICATION' },
    ...{ approval_status: 'APPROVED', managed_service_key: 'verify' },
  });
  await knex('chatapp_services').insert({ id: `${id}-chat`, team_id: id, name: 'Chat' });
  await knex('chatapp_numbers').insert({
    ...{ id: `${id}-number`, service_id: `${id}-chat`, phone: '+254711000000', connector: 'chat-simulator' },
  });
  await knex('campaigns').insert({
    ...{ id: `${id}-gift`, team_id: id, name: 'Gift', service_id: `${id}-sms`, frequency: 'OneTime' },
    ...{ allowed_denominations: '["50MB"]' },
  });
  await knex('campaign_grants').insert(
    grants.map((phone, index) => ({
      ...{ campaign_id: `${id}-gift`, phone_hash: phone, message_id: index + 1 },
      given_at: phone === 'pending' ? null : new Date(),
    })),
  );
  await knex('opt_outs').insert(
    [id, null].map((team_id) => ({
      ...{ phone_hash: `p-${id}`, product: 'sms', team_id, target: 'ALL', source: 'Keyword' },
    })),
  );
  await knex('keyword_replies').insert({
    ...{ phone_hash: `p-${id}`, product: 'sms', service_id: `${id}-sms`, action: 'OptOut' },
  });
  await knex('network_preferences').insert({
    ...{ phone_hash: `p-${id}`, service_id: `${id}-chat`, decided_at: new Date() },
  });
  await knex('idempotency_keys').insert({
    ...{ client_id: `${id}-orders`, operation: 'sendSms', key: 'k', fingerprint: 'f', accepted },
  });
  await topUp(management, { team: id, product: 'Sms', units: 100 });
  const channel = 'Safaricom';
  await topUp(management, { team: id, product: 'MobileData', channel, denomination: '50MB', units: 7 });
}

/** What a team can do with a database, by table. */
export async function shape(knex: Knex, id: string): Promise<object> {
  const rows = async (table: string, column: string, ...columns: string[]) =>
    knex(table).whereLike(column, `${id}%`).orderBy(columns).select(columns);
  return {
    users: await rows('users', 'team_id', 'id', 'role'),
    clients: await rows('clients', 'team_id', 'id', 'scopes', 'signing_secrets'),
    services: await rows('services', 'team_id', 'id', 'sender'),
    templates: await rows('sms_templates', 'team_id', 'id', 'approved_content'),
    numbers: await rows('chatapp_numbers', 'service_id', 'id', 'phone'),
    campaigns: await rows('campaigns', 'team_id', 'id', 'frequency'),
    grants: await rows('campaign_grants', 'campaign_id', 'phone_hash', 'given_at'),
    optOuts: await rows('opt_outs', 'phone_hash', 'phone_hash', 'team_id', 'source'),
    replies: await rows('keyword_replies', 'service_id', 'phone_hash', 'replied_at'),
    preferences: await rows('network_preferences', 'service_id', 'phone_hash', 'decided_at'),
    accounts: await rows('accounts', 'team_id', 'product', 'variant', 'balance'),
    keys: (
      await knex('idempotency_keys')
        .whereLike('client_id', `${id}%`)
        .select('key', 'fingerprint', 'created_at', knex.raw('accepted::text as accepted'))
    ).map((row) => ({ ...row })),
  };
}

export const balances = async (knex: Knex, id: string): Promise<number[]> =>
  (await knex('accounts').where({ team_id: id }).orderBy(['product', 'variant']).pluck('balance')).map(
    Number,
  );

export async function addChannel(knex: Knex): Promise<void> {
  await knex('channels').insert({
    name: 'Safaricom',
    prefixes: '["25471"]',
    connector: 'simulator',
    bundle_connector: 'bundle-simulator',
    position: 0,
  });
}
