/**
 * Senders are walls: over all operations and roles, no team sends as, reads or answers for one that it was not given. The
 * document says which operations those are.
 */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type DocumentedOperation, pathOf, requestsOf, secured, sending } from '../../../spec/document.ts';
import { createActOn } from '../../../src/inbound/keywords.ts';
import { createReceive } from '../../../src/inbound/receive.ts';
import { text } from '../../../src/inbound/testing.ts';
import { roles } from '../../../src/manage/rules.ts';
import { forEvery, testEvery } from '../../../src/platform/for-every-testing.ts';
import { createPhoneParser } from '../../../src/products/phone/parse.ts';
import { senderKey } from '../../../src/products/sms/sender-rules.ts';
import { bodies } from '../../support/management/bodies.ts';
import { type CallManagement, callerAt } from '../../support/management/caller.ts';
import { addResources, etagFor, namedForNew, requestOf } from '../../support/management/calls.ts';
import {
  operations as managementOperations,
  needsIfMatch,
  settableBy,
} from '../../support/management/document.ts';
import { names } from '../../support/management/named.ts';
import { type Answer, call, tokenFor } from '../../support/service/api.ts';
import { type InProcess, startInProcess } from '../../support/service/in-process.ts';

/** What a team has, as people know it and as they see it in Kenya, and what the platform has. */
const [theirs, seen, platforms] = ['22177', '+254709009900', 'OKAPI'];
const foreign = [theirs, '+22177', seen, platforms, 'O.K.A.P.I'];
/** Says only what those teams have. */
const secret = /Stripes/;

let service: InProcess;
let token: string;
/** The users of another team. */
const users = new Map<string, CallManagement>();
const rival = names('rival');

beforeAll(async () => {
  service = await startInProcess({ RATE_LIMIT_PER_SECOND: '1000000', READ_RATE_LIMIT_PER_SECOND: '1000000' });
  const { demo, knex, operate } = service;
  const team = { teamId: 'zebra', name: 'Stripes' };
  await operate('POST /teams', { id: 'zebra', name: 'Stripes' });
  const uses = [{}, { country: 'KE', as: seen }];
  await operate('POST /senders', { ...team, id: 'zebra-number', sender: theirs, keyword: 'Stripes', uses });
  await operate('POST /sms-services', { ...team, id: 'zebra-sms', sender: theirs });
  // That of the templates in bodies.ts.
  await operate('POST /senders', { id: 'verify', category: 'UTILITY', sender: platforms });
  await operate('POST /connectors', { name: 'sms', kind: 'simulator' });
  await operate('POST /connectors', { name: 'chat', kind: 'chat-simulator' });
  const patient: CallManagement = (...request) => {
    // No user may call as often.
    service.pass(1_000);
    return operate(...request);
  };
  await addResources({ management: { knex } }, patient, rival);
  for (const role of roles.filter((one) => one !== 'reviewer')) {
    const { body } = await patient('POST /users', { id: `rival-${role}`, role, teamId: rival.teamId });
    const calls = callerAt(service.management.url, body.accessKey);
    users.set(role, (...request) => {
      service.pass(1_000);
      return calls(...request);
    });
  }
  await knex('inbound_messages').insert({
    ...{
      id: crypto.randomUUID(),
      team_id: 'zebra',
      product: 'sms',
      service_id: 'zebra-sms',
      connector: 'sms',
    },
    ...{ phone: '+254711000000', recipient: theirs, kind: 'text', text: 'Stripes' },
  });
  token = await tokenFor(demo.baseUrl, demo);
});
afterAll(() => service?.dispose());

const titled = <Operation extends { operationId: string }>(operations: readonly Operation[]) =>
  operations.map((operation) => ({ operation, title: operation.operationId }));

describe('reads', () => {
  testEvery(titled(secured.filter(({ method }) => method === 'get')))(
    'of clients say nothing of it: $title',
    async ({ operation }) => {
      const isList = (operation.parameters ?? []).some(({ name }) => name === 'limit');
      const path = `${pathOf(operation)}${isList ? '?limit=100' : ''}`;
      const answer = await call(service.demo.baseUrl, path, { method: 'GET', token });
      expect(answer.text).not.toMatch(secret);
      expect(answer.text).not.toContain(`"${platforms}"`);
    },
  );

  testEvery(titled(managementOperations.filter(({ method }) => method === 'get')))(
    'of users say nothing of it, whatever their role: $title',
    async ({ operation }) => {
      for (const user of users.values())
        expect((await user(requestOf(operation, rival))).text).not.toMatch(secret);
    },
  );
});

describe('no user of another team takes it', () => {
  /** What bodies name a sender by, and how. */
  const places: Readonly<Record<string, (sender: string) => object>> = {
    sender: (sender) => ({ sender }),
    uses: (as) => ({ uses: [{ as }] }),
    managedServiceKey: () => ({ managedServiceKey: 'zebra-number' }),
  };
  const cells = managementOperations.flatMap((operation) =>
    Object.entries(places)
      .filter(([name]) => settableBy(operation).includes(name))
      .map(([name, place]) => ({ operation, place, title: `${operation.operationId} ${name}` })),
  );
  const attempt = async (
    user: CallManagement,
    operation: (typeof cells)[number]['operation'],
    { more, as }: { more: object; as: string },
  ) => {
    const named = namedForNew(operation, rival, names(as));
    const headers = needsIfMatch(operation) ? { 'if-match': await etagFor(user, operation, named) } : {};
    const given =
      operation.method === 'patch' ? more : { ...bodies[operation.operationId]?.(named), ...more };
    return user(requestOf(operation, named), given, headers);
  };

  test('the operations are known', () => {
    expect(new Set(cells.map(({ title }) => title))).toEqual(
      new Set([
        ...['createSmsService sender', 'updateSmsService sender', 'createSender sender', 'createSender uses'],
        ...['updateSender sender', 'updateSender uses', 'createSmsTemplate managedServiceKey'],
        ...['updateSmsTemplate managedServiceKey', 'explainRoute sender'],
      ]),
    );
  });

  testEvery(cells)('by any operation, in any role: $title', async ({ operation, place }) => {
    for (const [role, user] of users)
      for (const sender of foreign) {
        const answer = await attempt(user, operation, { more: place(sender), as: `new-${role}` });
        expect([role, sender, Math.floor(answer.status / 100)]).toEqual([role, sender, 4]);
        expect(answer.text).not.toMatch(secret);
      }
  });

  test('who may, takes what nobody has', async () => {
    const free = cells.filter(({ title }) => /^create(SmsService|Sender) /.test(title));
    for (const [place, cell] of free.entries()) {
      const more = cell.place(`FREE${place}`);
      const owner = users.get('owner') as CallManagement;
      expect((await attempt(owner, cell.operation, { more, as: `free-${place}` })).status).toBe(201);
    }
  });

  test('nothing of it is theirs', async () => {
    const { knex } = service;
    const had = await knex('senders').where({ team_id: rival.teamId }).select('sender', 'uses');
    const services = await knex('services').where({ team_id: rival.teamId }).select('sender');
    expect(had.length).toBeGreaterThan(2);
    const keys = new Set(foreign.map(senderKey));
    const shown = had.flatMap(({ sender, uses }) => [
      sender,
      ...uses.flatMap((use: { as?: string }) => use.as ?? []),
    ]);
    const taken = [...shown, ...services.map(({ sender }) => sender)];
    expect(taken.filter((sender) => keys.has(senderKey(sender)))).toEqual([]);
  });
});

/** What the demo team, whose services all name the number, has of it. */
const states: Readonly<Record<string, { uses: object[]; approved?: boolean } | undefined>> = {
  nothing: undefined,
  'asked for it': { uses: [{ status: 'Pending' }] },
  'was refused': { uses: [{ status: 'Rejected' }] },
  'had it': { uses: [{ status: 'Approved', validUntil: '2026-01-01T00:00:00Z' }], approved: true },
  'has it elsewhere': { uses: [{ status: 'Approved', country: 'TZ' }], approved: true },
};
const granted = { uses: [{ status: 'Approved' }], approved: true };

async function give(state: (typeof states)[string]): Promise<void> {
  const { knex } = service;
  await knex('services').where({ team_id: 'demo' }).update({ sender: theirs });
  await knex('senders').where({ id: 'demo-number' }).delete();
  const uses = JSON.stringify(state?.uses);
  if (state !== undefined)
    await knex('senders').insert({
      ...{ id: 'demo-number', team_id: 'demo', name: 'Demo', sender: theirs, keyword: 'DEMO', uses },
      approved_uses: state.approved ? uses : null,
    });
  // Facts are older.
  service.pass(3_000);
}

describe('no client sends as it', () => {
  const cells = sending.flatMap((operation) =>
    [...requestsOf(operation).examples].map(([example, body]) => ({
      ...{ operation, body, title: `${operation.operationId} ${example}` },
    })),
  );
  const ask = (path: string, body: unknown) => call(service.demo.baseUrl, path, { token, body });
  const codesOf = ({ body }: Answer): string[] =>
    [...body.problems, ...body.recipients.flatMap((one: { problems: object[] }) => one.problems)].map(
      ({ code }) => code,
    );
  /** SMS that were accepted as the number. */
  const accepted = async () => {
    const { knex } = service;
    const sms = knex('messages as m').join('requests as r', 'r.id', 'm.request_id');
    return (await sms.where({ 'm.product': 'sms', 'r.team_id': 'demo', 'r.sender': theirs })).length;
  };
  /** Whether it is accepted, sends as the number, or is refused for its sender; in the preview as well. */
  const outcome = async (operation: DocumentedOperation, body: unknown) => {
    const path = pathOf(operation);
    const before = await accepted();
    const previewed = await ask(`${path}/preview`, body);
    const sent = await ask(path, body);
    const refused = 'sender-not-approved';
    return {
      sends: (await accepted()) > before,
      refused: sent.headers.get('error-code') === refused,
      foreseen: previewed.status === 200 && codesOf(previewed).includes(refused),
    };
  };

  test('by any operation, whatever it has of it', async () => {
    await give(granted);
    const sends: typeof cells = [];
    for (const cell of cells) if ((await outcome(cell.operation, cell.body)).sends) sends.push(cell);
    expect([...new Set(sends.map(({ operation }) => operation.operationId))].sort()).toEqual([
      'disburseMobileData',
      'sendSms',
    ]);
    for (const [what, state] of Object.entries(states)) {
      await give(state);
      await forEvery(sends, `${what}: $title`, async ({ operation, body }) => {
        expect(await outcome(operation, body)).toEqual({ sends: false, refused: true, foreseen: true });
      });
    }
  });
});

describe('no team gets what people write to it', () => {
  const receive = (...messages: Parameters<ReturnType<typeof createReceive>>[1]) => {
    const hashPhone = (phone: string) => `#${phone}`;
    const take = createReceive({
      ...{ knex: service.knex, parsePhone: createPhoneParser('KE'), hashPhone, onPosts: () => {} },
      actOn: createActOn({ hashPhone, validitySeconds: 3_600 }),
      events: { messageDropped: () => {}, inboundUnreadable: () => {} },
    });
    return take({ connector: 'simulator', product: 'sms' }, messages);
  };

  test.each([
    'nothing',
    'asked for it',
    'was refused',
  ])('if it has %s, though it wrote last', async (what) => {
    const { knex } = service;
    await give(states[what]);
    await knex('inbound_messages').delete();
    const [last] = await knex('messages')
      .where({ product: 'sms', team_id: 'demo' })
      .orderBy('id', 'desc')
      .limit(1);
    await knex('messages')
      .where({ id: last.id })
      .update({ state: 'Submitted', submitted_at: knex.raw('service_now()'), connector: 'simulator' });
    for (const [place, to] of [theirs, seen].entries())
      for (const words of ['Ndiyo', 'DEMO ndiyo', 'STOP'])
        await receive(text(words, { to, from: last.phone, identity: `${what} ${place} ${words}` }));
    const heard = await knex('inbound_messages').select('team_id', 'recipient').orderBy('recipient');
    expect(heard.map(({ team_id, recipient }) => [team_id, recipient])).toEqual(
      [seen, theirs].flatMap((to) => Array(3).fill(['zebra', to])),
    );
    // Nor does it answer, or lose its own people.
    expect(await knex('requests').where({ confirmation: true }).distinct().pluck('team_id')).toEqual([
      'zebra',
    ]);
    expect(await knex('opt_outs').where({ source: 'Keyword' }).distinct().pluck('team_id')).toEqual([
      'zebra',
    ]);
  });
});
