/** Clients and services that operators have restricted or switched off. */
import { beforeAll, describe, expect, test } from '@jest/globals';
import { secured } from '../../../spec/document.ts';
import { edit } from '../../support/management/caller.ts';
import { addTeam } from '../../support/management/team.ts';
import { askAsPublished } from '../../support/requests/published.ts';
import { type SmsCaller, sharedSms, toMany } from '../../support/requests/sms.ts';
import { tokenFor } from '../../support/service/api.ts';

let sms: SmsCaller;

beforeAll(async () => {
  sms = await sharedSms();
});

type Restriction = 'revoked' | { scopes: [] } | { allowedAddresses: string[] } | { webOrigins: string[] };

/** Has a token already: what is switched off afterwards must stop it. */
async function restrictedTeam(restriction: Restriction) {
  const { operate } = sms.service;
  const team = await addTeam(sms.service);
  const token = await tokenFor(sms.demo.baseUrl, team);
  const client = `/clients/${team.clientId}`;
  if (restriction === 'revoked') await operate(`POST ${client}/revoke`);
  else await edit(operate, client, restriction);
  return { team, token };
}

const origin = 'https://shop.example';

test.each([
  ['the client is disabled.', 'revoked'],
  ['the client may not call from this address.', { allowedAddresses: ['192.0.2.0/24'] }],
  ['the scope', { scopes: [] }],
] satisfies [
  string,
  Restriction,
][])('403 Permission denied: %s — every operation', async (reason, restriction) => {
  const { token } = await restrictedTeam(restriction);
  for (const operation of secured) {
    const answer = await askAsPublished(sms.demo.baseUrl, operation, { token });
    expect([answer.status, answer.body.desc]).toEqual([
      403,
      expect.stringContaining(`Permission denied: ${reason}`),
    ]);
  }
});

test('403 Permission denied: the client may not be used by pages of this web origin. — every operation', async () => {
  // An origin is answered at all only if a client lists it.
  await restrictedTeam({ webOrigins: [origin] });
  const { token } = sms;
  for (const operation of secured) {
    const answer = await askAsPublished(sms.demo.baseUrl, operation, { token, headers: { origin } });
    expect([answer.status, answer.body]).toEqual([
      403,
      { desc: 'Permission denied: the client may not be used by pages of this web origin.' },
    ]);
  }
});

describe('403 Permission denied', () => {
  test.each([
    ['the client is disabled.', 'revoked'],
    ['the client may not call from this address.', { allowedAddresses: ['192.0.2.0/24'] }],
    ['the scope message.sms.send.oneway is required.', { scopes: [] }],
  ] satisfies [string, Restriction][])('%s', async (reason, restriction) => {
    const { team, token } = await restrictedTeam(restriction);
    const answer = await sms.send(toMany(['0711000000']), { token, serviceId: team.smsServiceId });
    const desc = `Permission denied: ${reason}`;
    expect([answer.status, answer.body]).toEqual([403, { desc }]);
    expect(answer.headers.get('www-authenticate')).toBe('Bearer error="insufficient_scope"');
  });

  test('comes before any check of body and service', async () => {
    const { token } = await restrictedTeam('revoked');
    const answer = await sms.send('{', { token, serviceId: 'no-such' });
    expect(answer.body).toEqual({ desc: 'Permission denied: the client is disabled.' });
  });

  test('a disabled client gets no new token', async () => {
    const { team } = await restrictedTeam('revoked');
    await expect(tokenFor(sms.demo.baseUrl, team)).rejects.toThrow('invalid_client');
  });
});

test('400 Service <id> is not active. Current status: <status>', async () => {
  const { operate } = sms.service;
  await operate('POST /sms-services', { id: 'idle-sms', teamId: 'demo', sender: 'TARISHI' });
  await edit(operate, '/sms-services/idle-sms', { status: 'Inactive' });
  const answer = await sms.send(toMany(['0711000000']), { serviceId: 'idle-sms' });
  expect([answer.status, answer.body]).toEqual([
    400,
    { desc: 'Service idle-sms is not active. Current status: Inactive' },
  ]);
});
