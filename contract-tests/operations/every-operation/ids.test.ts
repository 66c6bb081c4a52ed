/**
 * Ids of every operation: invalid ones are no route, and teams are walls: wherever a request can name something, what another
 * team has gets byte for byte the response of what nobody has, and leaves no trace. The document says where that is.
 */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type DocumentedOperation, operations, pathOf, requestsOf, secured } from '../../../spec/document.ts';
import { testEvery } from '../../../src/platform/for-every-testing.ts';
import { type IdPlace, idPlacesOf, withId } from '../../support/document/id-places.ts';
import { names } from '../../support/management/named.ts';
import { addMessage } from '../../support/management/sent-message.ts';
import { addTeam, type Team } from '../../support/management/team.ts';
import { type Answer, call, tokenFor } from '../../support/service/api.ts';
import { type InProcess, startInProcess } from '../../support/service/in-process.ts';
import { rowsOf } from '../../support/service/stored-data.ts';

/** What a team has, by the names of the document; of a chat app what is another one there. */
const kinds = [
  ...(['serviceId', 'templateId', 'campaignId', 'phoneNumberId', 'requestId', 'receiptId'] as const),
  ...(['correlator', 'messageId', 'inReplyTo', 'chat-app serviceId', 'chat-app templateId'] as const),
] as const;
type Kind = (typeof kinds)[number];

function kindOf({ path, operationId }: DocumentedOperation, { name, at = [] }: IdPlace): Kind {
  // What is in reserve of a chat-app message is an SMS.
  const isChatApp = path.includes('/chatapp') && !at.includes('fallback');
  const named = (wanted: string) => kinds.find((kind) => kind === wanted);
  const found = (isChatApp ? named(`chat-app ${name}`) : undefined) ?? named(name);
  if (found === undefined) throw new Error(`${operationId} has the id ${name}: say what a team has of it`);
  return found;
}

const cells = operations.flatMap((operation) =>
  idPlacesOf(operation).map((place) => ({
    operation,
    place,
    kind: kindOf(operation, place),
    title: [operation.operationId, place.example, place.in, place.at?.join('/') ?? place.name].join(' '),
  })),
);

let service: InProcess;
let tokens: Record<'demo' | 'other', string>;
let other: Record<Kind, string>;
let before: unknown;

/** A request of two SMS, of which the first has a receipt, as if a network had reported on it. */
async function add(teamId: string, clientId: string, serviceId: string) {
  const { requestId, receiptId } = names(teamId);
  await addMessage({ knex: service.knex }, { teamId, clientId, serviceId, requestId, receiptId });
  return { requestId, receiptId, correlator: `${teamId}-correlator` };
}

/** A picture that a person sends to the team's number. */
async function hear({ chatAppServiceId, phoneNumberId }: Team) {
  const { team_id } = await service.knex('chatapp_services').where({ id: chatAppServiceId }).first();
  const { phone: recipient, connector } = await service
    .knex('chatapp_numbers')
    .where({ id: phoneNumberId })
    .first();
  const id = randomUUID();
  await service.knex('inbound_messages').insert({
    ...{ id, team_id, product: 'chatapp', service_id: chatAppServiceId, connector, recipient },
    ...{ phone: '+254711000000', kind: 'media', text: '', media: '{"id":"17","mimeType":"image/png"}' },
  });
  return id;
}

beforeAll(async () => {
  service = await startInProcess({ RATE_LIMIT_PER_SECOND: '1000000', READ_RATE_LIMIT_PER_SECOND: '1000000' });
  const { demo } = service;
  const added = await addTeam(service, { sms: 100, data: 100, chatApp: { UTILITY: 100, SERVICE: 100 } });
  tokens = { demo: await tokenFor(demo.baseUrl, demo), other: await tokenFor(demo.baseUrl, added) };
  await add('demo', demo.clientId, demo.smsServiceId);
  const messageId = await hear(added);
  other = {
    ...(await add(added.teamId, added.clientId, added.smsServiceId)),
    serviceId: added.smsServiceId,
    templateId: added.smsTemplate.id,
    campaignId: added.campaignId,
    phoneNumberId: added.phoneNumberId,
    messageId,
    inReplyTo: messageId,
    'chat-app serviceId': added.chatAppServiceId,
    'chat-app templateId': added.chatAppTemplate.id,
  };
  before = await stored();
});
afterAll(() => service?.dispose());

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
async function stored() {
  const counts = await rowsOf<object>(
    service.knex,
    `select (select count(*)::int from requests) as requests, (select count(*)::int from messages) as messages,
       (select count(*)::int from ledger_entries) as entries, (select count(*)::int from receipts) as receipts,
       (select count(*)::int from idempotency_keys) as keys`,
  );
  return [...counts, ...(await rowsOf(service.knex, 'select id, balance from accounts order by id'))];
}

describe("the demo team's request with an id of another team", () => {
  test('every kind of id that a team has is in a request', () => {
    const named = new Set(cells.map(({ kind }) => kind));
    expect(kinds.filter((kind) => !named.has(kind))).toEqual([]);
  });

  testEvery(cells)('$title: as with an unknown id, byte for byte', async ({ operation, place, kind }) => {
    const theirs = other[kind];
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
  });

  test('nothing was stored, nothing debited', async () => {
    expect(await stored()).toEqual(before);
  });
});

testEvery(cells)(
  'the same ids, asked for by their own team, are known: $title',
  async ({ operation, place, kind }) => {
    const { example = '', name, in: where } = place;
    const theirOwn = (one: IdPlace) => other[kindOf(operation, one)];
    // Every id of the request, so that only its template's parameters may still be wrong.
    const own = idPlacesOf(operation).filter((one) => one.in !== 'body' || one.example === example);
    const body = own
      .filter((one) => one.in === 'body')
      .reduce(
        (filled, one) => withId(filled, one.at ?? [], theirOwn(one)),
        requestsOf(operation).examples.get(example),
      );
    const inPath = Object.fromEntries(
      own.filter((one) => one.in === 'path').map((one) => [one.name, theirOwn(one)]),
    );
    const query = where === 'query' ? `?${new URLSearchParams({ [name]: other[kind] })}` : '';
    const answer = await call(service.demo.baseUrl, `${pathOf(operation, inPath)}${query}`, {
      method: operation.method.toUpperCase(),
      token: tokens.other,
      ...(body === undefined ? {} : { body }),
    });
    if (where === 'query') expect(answer.text).toContain(other.requestId);
    else if (answer.status !== 200) expect(answer.text).toMatch(/param|no message left to cancel/i);
  },
);

testEvery(
  operations
    .filter(({ parameters = [] }) => parameters.some(({ name }) => name === 'cursor'))
    .map((operation) => ({ operation, title: operation.operationId })),
)('a cursor of another team is as good as a made-up one: $title', async ({ operation }) => {
  const { baseUrl } = service.demo;
  const get = (token: string, path: string) => call(baseUrl, path, { method: 'GET', token });
  const path = pathOf(operation, { requestId: other.requestId });
  const { next } = (await get(tokens.other, `${path}?limit=1`)).body;
  // A list of one item has no cursor.
  const cursor: string = next ?? 'none';
  const madeUp = [...cursor].reverse().join('');
  const ofTheirs = await get(tokens.demo, `${path}?${new URLSearchParams({ cursor })}`);
  const ofNobodys = await get(tokens.demo, `${path}?${new URLSearchParams({ cursor: madeUp })}`);
  expect(comparable(ofTheirs, cursor)).toEqual(comparable(ofNobodys, madeUp));
  expect([400, 404]).toContain(ofTheirs.status);
  if (operation.operationId === 'listMessages') expect(next).toEqual(expect.any(String));
});

const withIds = secured
  .filter(({ path }) => path.includes('{'))
  .map((operation) => ({ operation, title: operation.operationId }));

testEvery(withIds)('404 Resource not found. — what is not a valid id: $title', async ({ operation }) => {
  for (const id of ['a.b', 'a%2Fb', 'bad!id', '%zz', '%64emo', 'é', 'demo/', 'x'.repeat(300)]) {
    const path = operation.path.replace(/\{\w+\}/g, id);
    const { status, body } = await call(service.demo.baseUrl, path, {
      method: operation.method.toUpperCase(),
      token: tokens.demo,
      ...(operation.method === 'get' ? {} : { body: {} }),
    });
    expect([id, status, body]).toEqual([id, 404, { desc: 'Resource not found.' }]);
  }
});

testEvery([...Map.groupBy(operations, ({ path }) => path)].map(([path, its]) => ({ path, its })))(
  '405 for other methods of every path, with Allow: $path',
  async ({ path, its }) => {
    const allowed = its.map(({ method }) => method.toUpperCase());
    const place = pathOf(its[0] as DocumentedOperation);
    for (const method of ['GET', 'PUT', 'POST', 'DELETE', 'PATCH', 'OPTIONS']) {
      if (allowed.includes(method)) continue;
      const answer = await fetch(`${service.demo.baseUrl}${place}`, { method });
      const refused = { desc: `Method ${method} is not allowed here.` };
      expect([path, answer.status, await answer.json()]).toEqual([path, 405, refused]);
      expect(answer.headers.get('error-code')).toBe('method-not-allowed');
      const listed = (answer.headers.get('allow') ?? '').split(', ').filter((one) => one !== 'HEAD');
      expect(listed.toSorted()).toEqual(allowed.toSorted());
    }
  },
);
