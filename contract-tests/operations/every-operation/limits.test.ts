/** How often each operation may be called: as many recipients or calls in a second as the document says, and no more. */
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { type DocumentedOperation, operations, requestsOf, sending } from '../../../spec/document.ts';
import { limitedOperations } from '../../../src/contract/limits.ts';
import { testEvery } from '../../../src/platform/for-every-testing.ts';
import { askAsPublished } from '../../support/document/published-requests.ts';
import { edit } from '../../support/management/caller.ts';
import { addTeam } from '../../support/management/team.ts';
import { phones, toMany } from '../../support/requests/sms.ts';
import { type Answer, call, tokenFor } from '../../support/service/api.ts';
import { type InProcess, startInProcess } from '../../support/service/in-process.ts';

let service: InProcess;
let token: string;
/** Of the settings; other operations have the number in the document. */
const settings = { RATE_LIMIT_PER_SECOND: '20', READ_RATE_LIMIT_PER_SECOND: '3' };

beforeAll(async () => {
  service = await startInProcess(settings);
  token = await tokenFor(service.demo.baseUrl, service.demo);
});
afterAll(() => service?.dispose());
beforeEach(() => service.pass(60_000));

const limited = limitedOperations().map(({ operation: name, setting, perSecond, ...limit }) => ({
  ...limit,
  name,
  perSecond: Number(settings[setting as keyof typeof settings] ?? perSecond),
  operation: operations.find(({ operationId }) => operationId === name) as DocumentedOperation,
}));
const ask = (operation: DocumentedOperation, headers = {}) =>
  askAsPublished(service.demo.baseUrl, operation, { token, headers });

/** What the published request of an operation counts. */
function countOf({ operation, counts }: (typeof limited)[number]): number {
  if (counts === 'calls') return 1;
  const [body] = [...requestsOf(operation).examples.values()] as Record<string, unknown[]>[];
  const { addresses, messages, phones: numbers, disbursements } = body ?? {};
  return (addresses ?? messages ?? numbers ?? disbursements ?? []).length;
}

const standing = ({ headers }: Answer) => [headers.get('ratelimit-policy'), headers.get('ratelimit')];

testEvery(limited)(
  '429 The limit of <n> <what is counted> per second is exceeded. — each has its own, and is let in a second later: $name',
  async (row) => {
    const { operation, perSecond, noun } = row;
    const each = countOf(row);
    let left = perSecond;
    let answer = await ask(operation);
    for (; answer.status !== 429 && left > -each; answer = await ask(operation)) {
      left -= each;
      expect(standing(answer)).toEqual([`"team";q=${perSecond};w=1`, `"team";r=${left};t=1`]);
    }
    expect([answer.status, answer.body, answer.headers.get('retry-after')]).toEqual([
      429,
      {
        error: 'rate_limit_exceeded',
        error_description: `The limit of ${perSecond} ${noun} per second is exceeded.`,
      },
      '1',
    ]);
    expect([left >= 0, left < each]).toEqual([true, true]);
    expect(standing(answer)).toEqual([`"team";q=${perSecond};w=1`, `"team";r=${left};t=1`]);
    service.pass(1_000);
    expect((await ask(operation)).status).toBeLessThan(429);
  },
);

testEvery(limited.filter(({ operation }) => sending.includes(operation)))(
  'a rejected send counts nothing, and stores no Idempotency-Key: $name',
  async (row) => {
    const { operation, perSecond } = row;
    const headers = { 'idempotency-key': `${row.name}-late` };
    for (let sent = 0; sent + countOf(row) <= perSecond; sent += countOf(row)) await ask(operation);
    expect((await ask(operation, headers)).status).toBe(429);
    service.pass(1_000);
    const again = await ask(operation, headers);
    expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([200, null]);
    expect(again.headers.get('ratelimit')).toBe(`"team";r=${perSecond - countOf(row)};t=1`);
  },
);

test('a team has a limit of its own in one operation, and its other operations have theirs', async () => {
  const { demo, operate } = service;
  const team = await addTeam(service, { sms: 100 });
  await edit(operate, `/teams/${team.teamId}`, { operationRates: { sendSms: 5, listBalances: 1 } });
  service.pass(60_000);
  const its = await tokenFor(demo.baseUrl, team);
  const to = (recipients: number) =>
    call(demo.baseUrl, `/message/${team.smsServiceId}`, { token: its, body: toMany(phones(recipients)) });
  const refused = await to(6);
  expect([refused.status, refused.headers.get('ratelimit-policy')]).toEqual([429, '"team";q=5;w=1']);
  expect([(await to(5)).status, (await to(1)).status]).toEqual([200, 429]);
  const read = (path: string) => call(demo.baseUrl, path, { method: 'GET', token: its });
  expect(standing(await read('/balances'))).toEqual(['"team";q=1;w=1', '"team";r=0;t=1']);
  expect(standing(await read('/services'))).toEqual(['"team";q=3;w=1', '"team";r=2;t=1']);
});

test('a team may have a rate of its own in each limited operation, and in no other', async () => {
  const { operate } = service;
  const { teamId } = await addTeam(service, {});
  const operationRates = Object.fromEntries(limited.map(({ name }) => [name, 5]));
  await edit(operate, `/teams/${teamId}`, { operationRates });
  expect((await operate(`GET /teams/${teamId}`)).body.operationRates).toEqual(operationRates);
  const others = operations.map(({ operationId }) => operationId).filter((one) => !(one in operationRates));
  expect(others).toEqual(['issueToken']);
  for (const operation of [...others, 'sendFax'])
    await expect(edit(operate, `/teams/${teamId}`, { operationRates: { [operation]: 5 } })).rejects.toThrow(
      /: 400 .*operationRates must be for one of sendSms, /,
    );
});

test('without a token there is no limit to tell of; after authentication every error tells of it', async () => {
  const { demo } = service;
  const send = (by: string | undefined, body: unknown) =>
    call(demo.baseUrl, `/message/${demo.smsServiceId}/preview`, { token: by, body });
  expect(standing(await send(undefined, {}))).toEqual([null, null]);
  // What breaks the schema is not counted; a preview is, whatever happens to it.
  expect(standing(await send(token, {}))).toEqual(['"team";q=20;w=1', '"team";r=20;t=1']);
  expect(standing(await send(token, toMany(['12345'])))).toEqual(['"team";q=20;w=1', '"team";r=19;t=1']);
});
