/** Quiet hours as clients meet them: what a promotional message waits for is in the response, the preview and the message. */
import { setTimeout as delay } from 'node:timers/promises';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { edit } from '../../support/management/caller.ts';
import { addChatAppTemplate, addTeam, type Team } from '../../support/management/team.ts';
import { type Answer, call, tokenFor } from '../../support/service/api.ts';
import { until } from '../../support/service/pages.ts';
import { sharedService } from '../../support/shared/service.ts';

const service = sharedService();
const hourMs = 3_600_000;
/** In Accra, whose clocks show UTC: at least an hour away, and open for an hour. */
const opensMs = Math.ceil(Date.now() / hourMs) * hourMs + hourMs;
const clock = (ms: number) => new Date(ms).toISOString().slice(11, 16);
const window = `${clock(opensMs)}-${clock(opensMs + hourMs).replace('00:00', '24:00')}`;
const scheduledFor = new Date(opensMs).toISOString();
const inAccra = '+233241234567';

let team: Team;
let token: string;
beforeAll(async () => {
  team = await addTeam(service);
  token = await tokenFor(service.demo.baseUrl, team);
  await addChatAppTemplate(service, { ...offer(), category: 'MARKETING' });
  await service.operate('POST /quiet-hours', {
    country: 'GH',
    enabled: true,
    mondayToFriday: window,
    saturday: window,
    sunday: window,
  });
  await answering(
    () => post(`${path()}/preview`),
    (body) => body.scheduledFor !== undefined,
  );
});

/** What processes know of quiet hours and services is up to two seconds old. */
async function answering(ask: () => Promise<Answer>, wanted: (body: Answer['body']) => boolean) {
  for (;;) {
    const answer = await ask();
    if (answer.status !== 200) throw new Error(answer.text);
    if (wanted(answer.body)) return answer;
    await delay(100);
  }
}

const offer = () => ({ id: `${team.teamId}-offer`, teamId: team.teamId });
const path = () => `/message/${team.chatAppServiceId}/chatapp`;
const post = (where: string, more: object = {}) =>
  call(service.demo.baseUrl, where, {
    token,
    body: {
      type: 'TemplateSendToMany',
      phoneNumberId: team.phoneNumberId,
      templateId: offer().id,
      addresses: [inAccra],
      params: [{ type: 'BodyNamedParameter', name: 'name', value: 'Asha' }],
      ...more,
    },
  });
const messages = (requestId: string) =>
  call(service.demo.baseUrl, `/requests/${requestId}/messages`, { method: 'GET', token });

describe('while the window of the recipient is closed', () => {
  test('200: the message waits, and the response says until when', async () => {
    const { body } = await post(path());
    expect(body.result).toMatchObject({ scheduledFor });
    expect((await messages(body.result.requestId)).body.items).toMatchObject([
      { state: 'Scheduled', scheduledFor },
    ]);
  });

  test('the preview says it for each recipient', async () => {
    const { body } = await post(`${path()}/preview`, { addresses: [inAccra, '+254711000000'] });
    expect(body).toMatchObject({ sendable: true, recipients: [{ scheduledFor, problems: [] }, {}] });
    expect(body.recipients[1]).not.toHaveProperty('scheduledFor');
    expect(body).not.toHaveProperty('scheduledFor');
  });

  test('a message that would expire before has the problem quiet-hours, and stays sendable', async () => {
    const sendAt = new Date(Date.now() + 2 * 60_000).toISOString();
    const validUntil = new Date(Date.now() + 3 * 60_000).toISOString();
    const { body } = await post(`${path()}/preview`, { schedule: { sendAt, validUntil } });
    expect(body).toMatchObject({ sendable: true, recipients: [{ problems: [{ code: 'quiet-hours' }] }] });
  });

  test('a service without quiet hours sends at once', async () => {
    await edit(service.operate, `/chatapp-services/${team.chatAppServiceId}`, { quietHours: false });
    const sent = await answering(
      () => post(path()),
      ({ result }) => result.scheduledFor === undefined,
    );
    const { body } = await until(
      () => messages(sent.body.result.requestId),
      ([message]) => message?.state === 'Delivered',
    );
    expect(body.items[0]).not.toHaveProperty('scheduledFor');
  });
});
