/**
 * Teams are walls: wherever a request can name something, what another team has gets byte for byte the response of what
 * nobody has, and leaves no trace. The document says where that is.
 */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type DocumentedOperation, operations, pathOf, requestsOf } from '../../../spec/document.ts';
import { forEvery } from '../../../src/platform/for-every-testing.ts';
import { type IdPlace, idPlacesOf, withId } from '../../support/document/id-places.ts';
import { type Team as AddedTeam, addTeam } from '../../support/management/team.ts';
import { toMany } from '../../support/requests/sms.ts';
import { type Answer, call, tokenFor } from '../../support/service/api.ts';
import { type Service, startService } from '../../support/service/service.ts';
import { rowsOf, withStoredData } from '../../support/service/stored-data.ts';

/** The ids of what a team has. */
type Team = Pick<
  AddedTeam,
  'clientId' | 'clientSecret' | 'smsServiceId' | 'campaignId' | 'chatAppServiceId' | 'phoneNumberId'
> & {
  smsTemplate: { id: string };
  chatAppTemplate: { id: string };
  /** Of an SMS request that was accepted, with two messages. */
  requestId: string;
  receiptId: string;
  correlator: string;
};

type IdOf = (team: Team) => string;
const ids: Record<string, IdOf> = {
  serviceId: ({ smsServiceId }) => smsServiceId,
  templateId: ({ smsTemplate }) => smsTemplate.id,
  campaignId: ({ campaignId }) => campaignId,
  phoneNumberId: ({ phoneNumberId }) => phoneNumberId,
  requestId: ({ requestId }) => requestId,
  receiptId: ({ receiptId }) => receiptId,
  correlator: ({ correlator }) => correlator,
};
const chatAppIds: Record<string, IdOf> = {
  serviceId: ({ chatAppServiceId }) => chatAppServiceId,
  templateId: ({ chatAppTemplate }) => chatAppTemplate.id,
};

function idOf({ path, operationId }: DocumentedOperation, name: string): IdOf {
  const found = (path.includes('/chatapp') ? chatAppIds[name] : undefined) ?? ids[name];
  if (found === undefined) throw new Error(`${operationId} has the id ${name}: say what a team has of it`);
  return found;
}

const cells = operations.flatMap((operation) =>
  idPlacesOf(operation).map((place) => ({
    operation,
    place,
    idOf: idOf(operation, place.name),
    title: [operation.operationId, place.example, place.in, place.at?.join('/') ?? place.name].join(' '),
  })),
);

const phone = '+254711000000';
let service: Service;
let tokens: Record<'demo' | 'other', string>;
let other: Team;
let before: unknown;

/** Sends two SMS with a receipt each, and waits for the first of them. */
async function send(team: Pick<Team, 'clientId' | 'clientSecret' | 'smsServiceId'>, correlator: string) {
  const { baseUrl } = service.demo;
  const token = await tokenFor(baseUrl, team);
  const receiptRequest = { correlator, callbackUrl: 'http://127.0.0.1:9/' };
  const body = toMany([phone, '+254711000012'], 'Habari', { receiptRequest });
  const sent = await call(baseUrl, `/message/${team.smsServiceId}`, { token, body });
  const { requestId } = sent.body.result;
  for (;;) {
    const { body: list } = await call(baseUrl, `/receipts?requestId=${requestId}`, { method: 'GET', token });
    if (list.items.length > 0) return { token, requestId, receiptId: list.items[0].receiptId };
  }
}

beforeAll(async () => {
  service = await startService();
  const { demo } = service;
  const added = await addTeam(service, { sms: 100, data: 100, chatApp: { UTILITY: 100 } });
  const correlator = 'correlator-of-other';
  const sent = { demo: await send(demo, 'correlator-of-demo'), other: await send(added, correlator) };
  tokens = { demo: sent.demo.token, other: sent.other.token };
  other = { ...added, ...sent.other, correlator };
  await service.stop();
  before = await stored();
  await service.restart();
  tokens.demo = await tokenFor(demo.baseUrl, demo);
});
afterAll(() => service.dispose());

/** The published request with this id at the place; what else it names is the demo team's. */
function ask(
  operation: DocumentedOperation,
  { in: where, name, example = '', at = [] }: IdPlace,
  id: string,
) {
  const published = requestsOf(operation).examples.get(example);
  const query = where === 'query' ? `?${new URLSearchParams({ [name]: id })}` : '';
  return call(service.demo.baseUrl, `${pathOf(operation, where === 'path' ? { [name]: id } : {})}${query}`, {
    method: operation.method.toUpperCase(),
    token: tokens.demo,
    ...(published === undefined ? {} : { body: where === 'body' ? withId(published, at, id) : published }),
  });
}

/** Time, and what counts the caller's own requests. */
const varying: ReadonlySet<string> = new Set(['date', 'x-request-id', 'ratelimit']);

function comparable({ status, headers, text }: Answer, id: string) {
  return {
    status,
    headers: [...headers].filter(([name]) => !varying.has(name)),
    text: text.replaceAll(id, '<id>'),
  };
}

/** Everything that accepting a request leaves. */
const stored = () =>
  withStoredData(service, async (knex) => ({
    ...(await rowsOf<object>(
      knex,
      `select (select count(*)::int from requests) as requests, (select count(*)::int from messages) as messages,
         (select count(*)::int from ledger_entries) as entries,
         (select count(*)::int from receipts) as receipts,
         (select count(*)::int from idempotency_keys) as keys`,
    ).then(([row]) => row)),
    balances: await rowsOf(knex, 'select id, balance from accounts order by id'),
  }));

describe("the demo team's request with an id of another team", () => {
  test('every kind of id that a team has is in a request', () => {
    const named = new Set(cells.map((cell) => cell.idOf));
    expect([...Object.values(ids), ...Object.values(chatAppIds)].filter((one) => !named.has(one))).toEqual(
      [],
    );
  });

  test('is answered as with an unknown id, byte for byte', () =>
    forEvery(cells, '$title: as with an unknown id, byte for byte', async ({ operation, place, idOf }) => {
      const theirs = idOf(other);
      // A UUID stays one.
      const nobodys = theirs.replace(/[0-9a-z]/g, (sign) => (/[0-9a-f]/.test(sign) ? '7' : 'x'));
      const ofTheirs = await ask(operation, place, theirs);
      const ofNobodys = await ask(operation, place, nobodys);
      expect(comparable(ofTheirs, theirs)).toEqual(comparable(ofNobodys, nobodys));
      if (place.in === 'query') expect(ofTheirs.text).not.toMatch(/"(requestId|receiptId)"/);
      // It narrows what is replayed, as a query narrows a list.
      else if (place.operationId === 'replayReceipts')
        expect(JSON.parse(ofTheirs.text)).toMatchObject({ receipts: 0 });
      else expect([400, 404]).toContain(ofTheirs.status);
    }));

  test('nothing was stored, nothing debited', async () => {
    await service.stop();
    expect(await stored()).toEqual(before);
    await service.restart();
  });
});

describe('the same ids, asked for by their own team, are known', () => {
  test('each', () =>
    forEvery(cells, '$title', async ({ operation, place, idOf }) => {
      const { example = '', name, in: where } = place;
      // Every id of the request, so that only its template's parameters may still be wrong.
      const own = idPlacesOf(operation).filter((one) => one.in !== 'body' || one.example === example);
      const body = own
        .filter((one) => one.in === 'body')
        .reduce(
          (filled, one) => withId(filled, one.at ?? [], theirOwn(operation, one.name)),
          requestsOf(operation).examples.get(example),
        );
      const inPath = Object.fromEntries(
        own.filter((one) => one.in === 'path').map((one) => [one.name, theirOwn(operation, one.name)]),
      );
      const query = where === 'query' ? `?${new URLSearchParams({ [name]: idOf(other) })}` : '';
      const answer = await call(service.demo.baseUrl, `${pathOf(operation, inPath)}${query}`, {
        method: operation.method.toUpperCase(),
        token: tokens.other,
        ...(body === undefined ? {} : { body }),
      });
      if (where === 'query') expect(answer.text).toContain(other.requestId);
      else if (answer.status !== 200) expect(answer.text).toMatch(/param|no message left to cancel/i);
    }));
  const theirOwn = (operation: DocumentedOperation, name: string) => idOf(operation, name)(other);
});

describe('a cursor of another team is as good as a made-up one', () => {
  const lists = operations
    .filter(({ parameters = [] }) => parameters.some(({ name }) => name === 'cursor'))
    .map((operation) => ({ operation, title: operation.operationId }));

  test('each', () =>
    forEvery(lists, '$title', async ({ operation }) => {
      const { baseUrl } = service.demo;
      const get = (token: string, path: string) => call(baseUrl, path, { method: 'GET', token });
      const path = pathOf(operation, { requestId: other.requestId });
      const { next } = (await get(tokens.other, `${path}?limit=1`)).body;
      // A list of one item has no cursor.
      const cursor: string = next ?? 'none';
      const madeUp = [...cursor].reverse().join('');
      const own = pathOf(operation, { requestId: other.requestId });
      const ofTheirs = await get(tokens.demo, `${own}?${new URLSearchParams({ cursor })}`);
      const ofNobodys = await get(tokens.demo, `${own}?${new URLSearchParams({ cursor: madeUp })}`);
      expect(comparable(ofTheirs, cursor)).toEqual(comparable(ofNobodys, madeUp));
      expect([400, 404]).toContain(ofTheirs.status);
      if (operation.operationId === 'listMessages') expect(next).toEqual(expect.any(String));
    }));
});
