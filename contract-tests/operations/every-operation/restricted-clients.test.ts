/** Clients and services that operators have restricted or switched off. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type SmsService, startSms, toMany } from '../../support/requests/sms.ts';
import { tokenFor } from '../../support/service/api.ts';
import { withStoredData } from '../../support/service/stored-data.ts';

let sms: SmsService;
let tokens: { demo: string; foreign: string; broke: string };

/** Tokens are issued first: what is switched off afterwards must stop them. */
beforeAll(async () => {
  sms = await startSms();
  const { baseUrl, foreign, broke } = sms.demo;
  tokens = {
    demo: sms.token,
    foreign: await tokenFor(baseUrl, foreign),
    broke: await tokenFor(baseUrl, broke),
  };
  await sms.service.stop();
  await withStoredData(sms.service, async (knex) => {
    await knex.raw(`update clients set enabled = false where id = 'demo'`);
    await knex.raw(`update clients set allowed_addresses = '["192.0.2.0/24"]' where id = 'foreign'`);
    await knex.raw(`update clients set scopes = '[]' where id = 'broke'`);
    await knex.raw(`insert into teams (id, name) values ('idle', 'Idle')`);
    await knex.raw(`insert into clients
          (id, team_id, name, secret_hashes, signing_secrets, scopes, allowed_addresses, enabled)
        select 'idle', 'idle', name, secret_hashes, signing_secrets,
      '["message.sms.send.oneway"]', '[]', true from clients where id = 'broke'`);
    await knex.raw(
      `insert into services (id, team_id, name, sender, status) values ('idle-sms', 'idle', 'x', 'X', 'Inactive')`,
    );
  });
  await sms.service.restart();
});
afterAll(() => sms.service.dispose());

describe('403 Permission denied', () => {
  test.each([
    ['demo', 'Permission denied: the client is disabled.'],
    ['foreign', 'Permission denied: the client may not call from this address.'],
    ['broke', 'Permission denied: the scope message.sms.send.oneway is required.'],
  ] as const)('%s: %s', async (client, desc) => {
    const answer = await sms.send(toMany(['0711000000']), {
      token: tokens[client],
      serviceId: `${client}-sms`,
    });
    expect([answer.status, answer.body]).toEqual([403, { desc }]);
    expect(answer.headers.get('www-authenticate')).toBe('Bearer error="insufficient_scope"');
  });

  test('comes before anything is said about body or service', async () => {
    const answer = await sms.send('{', { token: tokens.demo, serviceId: 'no-such' });
    expect(answer.body).toEqual({ desc: 'Permission denied: the client is disabled.' });
  });

  test('a disabled client gets no new token', async () => {
    await expect(tokenFor(sms.demo.baseUrl, sms.demo)).rejects.toThrow('invalid_client');
  });
});

test('400 Service <id> is not active. Current status: <status>', async () => {
  const { baseUrl, broke } = sms.demo;
  const token = await tokenFor(baseUrl, { clientId: 'idle', clientSecret: broke.clientSecret });
  const answer = await sms.send(toMany(['0711000000']), { token, serviceId: 'idle-sms' });
  expect([answer.status, answer.body]).toEqual([
    400,
    { desc: 'Service idle-sms is not active. Current status: Inactive' },
  ]);
});
