/** Teams are walls: what another team has answers exactly as what nobody has, and leaves no trace. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { addTeam } from '../../support/management/team.ts';
import { bundleToEach, bundleToMany, selfService } from '../../support/requests/disbursement.ts';
import { templateToEach, templateToMany, toEach, toMany } from '../../support/requests/sms.ts';
import { type Answer, call, tokenFor } from '../../support/service/api.ts';
import { type Service, startService } from '../../support/service/service.ts';
import { rowsOf, withStoredData } from '../../support/service/stored-data.ts';

interface Resource {
  id: string;
  /** That its owner would be accepted with. */
  params?: unknown;
}

/** What a team may have of each kind that a request can name. A new kind is a line here and its requests below. */
const kinds = {
  smsService: ({ smsServiceId }: Team): Resource => ({ id: smsServiceId }),
  smsTemplate: ({ smsTemplate }: Team): Resource => smsTemplate,
  campaign: ({ campaignId }: Team): Resource => ({ id: campaignId }),
  chosenService: ({ smsServiceId }: Team): Resource => ({ id: smsServiceId }),
  chatAppService: ({ chatAppServiceId }: Team): Resource => ({ id: chatAppServiceId }),
  phoneNumber: ({ phoneNumberId }: Team): Resource => ({ id: phoneNumberId }),
  chatAppTemplate: ({ chatAppTemplate }: Team): Resource => chatAppTemplate,
  request: ({ requestId }: Team): Resource => ({ id: requestId }),
};
type Kind = keyof typeof kinds;
type Named = Readonly<Record<Kind, Resource>>;

interface Team extends Record<'smsServiceId' | 'campaignId' | 'chatAppServiceId' | 'phoneNumberId', string> {
  clientId: string;
  clientSecret: string;
  smsTemplate: Resource;
  chatAppTemplate: Resource;
  /** Of an SMS request that was accepted. */
  requestId: string;
}

const phone = '+254711000000';
const each = { phone, denomination: '100MB', message: 'Habari' };
const fromNumber = ({ phoneNumber, chatAppTemplate }: Named) => ({
  phoneNumberId: phoneNumber.id,
  templateId: chatAppTemplate.id,
});

/** Every operation that takes an id, in every mode, as its path and body; without a body it is a GET. */
const requests: Record<string, (named: Named) => [path: string, body?: object]> = {
  'SMS, SendToMany': ({ smsService }) => [`/message/${smsService.id}`, toMany([phone])],
  'SMS, SendToEach': ({ smsService }) => [
    `/message/${smsService.id}`,
    toEach([{ phone, message: 'Habari' }]),
  ],
  'SMS, TemplateSendToMany': ({ smsService, smsTemplate: { id, params } }) => [
    `/message/${smsService.id}`,
    templateToMany(id, [phone], params),
  ],
  'SMS, TemplateSendToEach': ({ smsService, smsTemplate: { id, params } }) => [
    `/message/${smsService.id}`,
    templateToEach(id, [{ phone, params }]),
  ],
  'mobile data, SendToMany': ({ campaign }) => [`/data/${campaign.id}`, bundleToMany([phone])],
  'mobile data, SendToEach': ({ campaign, chosenService }) => [
    `/data/${campaign.id}`,
    bundleToEach([each], { messaging: selfService(chosenService.id) }),
  ],
  'chat-app, TemplateSendToMany': (named) => [
    `/message/${named.chatAppService.id}/chatapp`,
    {
      type: 'TemplateSendToMany',
      ...fromNumber(named),
      addresses: [phone],
      params: named.chatAppTemplate.params,
    },
  ],
  'chat-app, TemplateSendToEach': (named) => [
    `/message/${named.chatAppService.id}/chatapp`,
    {
      type: 'TemplateSendToEach',
      ...fromNumber(named),
      messages: [{ phone, params: named.chatAppTemplate.params }],
    },
  ],
  'a request': ({ request }) => [`/requests/${request.id}`],
  'the messages of a request': ({ request }) => [`/requests/${request.id}/messages`],
};

const kindNames = Object.keys(kinds) as Kind[];
const namedOf = (resourceOf: (kind: Kind) => Resource) =>
  Object.fromEntries(kindNames.map((kind) => [kind, resourceOf(kind)])) as Named;

/** A request takes a kind of id when it holds it. */
const placeholders = namedOf((kind) => ({ id: `<${kind}>`, params: [] }));
const takes = (request: string, kind: Kind) =>
  JSON.stringify(requests[request]?.(placeholders)).includes(`<${kind}>`);
const cells = Object.keys(requests).flatMap((request) =>
  kindNames.filter((kind) => takes(request, kind)).map((kind) => ({ request, kind })),
);

let service: Service;
let teams: Record<'demo' | 'other', Team>;
let before: unknown;

beforeAll(async () => {
  service = await startService();
  const { demo } = service;
  const other = await addTeam(service, { sms: 100, data: 100 });
  const sentBy = async (team: { clientId: string; clientSecret: string; smsServiceId: string }) => {
    const token = await tokenFor(demo.baseUrl, team);
    return (await call(demo.baseUrl, `/message/${team.smsServiceId}`, { token, body: toMany([phone]) })).body
      .result.requestId;
  };
  teams = {
    demo: {
      ...demo,
      requestId: await sentBy(demo),
      campaignId: demo.campaigns.open,
      phoneNumberId: demo.phoneNumberIds[0] ?? '',
      smsTemplate: { id: demo.templates.named, params: demo.templateParams.named },
      chatAppTemplate: demo.chatAppTemplates.named,
    },
    other: { ...other, requestId: await sentBy(other) },
  };
  await service.stop();
  before = await stored();
  await service.restart();
});
afterAll(() => service.dispose());

const own = (team: Team) => namedOf((kind) => kinds[kind](team));

async function ask(token: string, request: string, named: Named): Promise<Answer> {
  const [path, body] = requests[request]?.(named) ?? [''];
  return call(service.demo.baseUrl, path, { method: body === undefined ? 'GET' : 'POST', token, body });
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

describe("the demo team's request with one id of another team", () => {
  test('every kind of id is taken by a request', () => {
    expect(new Set(cells.map(({ kind }) => kind))).toEqual(new Set(kindNames));
  });

  test.each(cells)('$request, $kind: as with an unknown id, byte for byte', async ({ request, kind }) => {
    const token = await tokenFor(service.demo.baseUrl, teams.demo);
    const theirs = kinds[kind](teams.other);
    const nobodys = { ...theirs, id: 'x'.repeat(theirs.id.length) };
    const [ofTheirs, ofNobodys] = [
      await ask(token, request, { ...own(teams.demo), [kind]: theirs }),
      await ask(token, request, { ...own(teams.demo), [kind]: nobodys }),
    ];
    expect(ofTheirs.status).toBeGreaterThanOrEqual(400);
    expect(ofTheirs.status).toBeLessThan(500);
    expect(ofTheirs.text).toContain(theirs.id);
    expect(comparable(ofTheirs, theirs.id)).toEqual(comparable(ofNobodys, nobodys.id));
  });

  test('nothing was stored, nothing debited', async () => {
    await service.stop();
    expect(await stored()).toEqual(before);
    await service.restart();
  });
});

test.each(
  Object.keys(requests).flatMap((request) => [
    { request, team: 'demo' as const },
    { request, team: 'other' as const },
  ]),
)('$request: the $team team is accepted with ids of its own', async ({ request, team }) => {
  const token = await tokenFor(service.demo.baseUrl, teams[team]);
  const answer = await ask(token, request, own(teams[team]));
  expect([answer.status, answer.body]).toEqual([200, expect.anything()]);
});
