/** Each call of the management API is a span, which says nothing of people. */
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { trace } from '@opentelemetry/api';
import { recordSpans, type SpanRecorder } from '../../../src/platform/spans-testing.ts';
import type { CallManagement } from '../../support/management/caller.ts';
import { type ManagementService, startManagementService } from '../../support/management/service.ts';

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
const parentId = '00f067aa0ba902b7';
const traceparent = `00-${traceId}-${parentId}-01`;
const userId = 'asha-k';
const phone = '+254711005000';

let recorder: SpanRecorder;
let service: ManagementService;
let asha: CallManagement;

beforeAll(async () => {
  service = await startManagementService();
  asha = await service.user(userId, { role: 'owner' });
  recorder = recordSpans();
});
afterAll(async () => {
  trace.disable();
  await service.close();
});
afterEach(() => recorder.reset());

const spans = () =>
  recorder.ended().map(({ context, parent, ...span }) => ({
    ...span,
    traceId: context.traceId,
    parent: parent?.spanId,
  }));

test('a call continues the trace of its caller', async () => {
  await asha('POST /teams', { id: 'acme' }, { traceparent });
  await asha('GET /teams/acme', undefined, { traceparent });
  expect(spans()).toEqual([
    {
      name: 'POST /management/teams',
      attributes: {
        'http.request.method': 'POST',
        'http.route': '/management/teams',
        'http.response.status_code': 201,
        'tarishi.operation': 'createTeam',
      },
      status: { code: 0 },
      events: [],
      traceId,
      parent: parentId,
    },
    expect.objectContaining({ name: 'GET /management/teams/{teamId}', traceId, parent: parentId }),
  ]);
});

test('a user of a team is named by the team', async () => {
  const ofTeam = await service.user('juma', { role: 'viewer', teamId: 'acme' });
  await ofTeam('GET /teams/acme');
  // Without a traceparent a trace begins.
  expect(spans()).toMatchObject([{ parent: undefined, attributes: { 'tarishi.team.id': 'acme' } }]);
});

test('a rejected call is a span with its status, and no fault of the service', async () => {
  await asha('GET /teams/nobody');
  await service.as('wrong')('GET /teams');
  await asha('GET /nothing');
  expect(spans()).toMatchObject(
    [
      ['GET /management/teams/{teamId}', 404],
      ['GET /management/teams', 401],
      ['GET', 404],
    ].map(([name, status]) => ({
      name,
      status: { code: 0 },
      attributes: { 'http.response.status_code': status },
    })),
  );
});

test('a fault of the service is one of its span', async () => {
  service.breakDatabase(Object.assign(new Error(`lost while reading ${phone}`), { code: 'ECONNREFUSED' }));
  const { status } = await asha('GET /teams');
  service.breakDatabase(undefined);
  expect(status).toBe(503);
  expect(spans()).toMatchObject([
    { status: { code: 2 }, attributes: { 'http.response.status_code': status } },
  ]);
  expect(JSON.stringify(spans())).not.toContain(phone);
});

test('no span has a number or the id of a person', async () => {
  const answers = [
    await asha(`GET /users/${userId}`),
    await asha(`GET /messages?teamId=acme&phone=${encodeURIComponent(phone)}`),
    await asha('POST /subjects/erase', { phone, teamId: 'acme' }),
  ];
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
  const told = JSON.stringify(spans());
  for (const secret of [phone.slice(-9), userId]) expect(told).not.toContain(secret);
});
