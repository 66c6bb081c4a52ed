/** The simulated provider as a connector with each preset sees it: responses, reports, and what people write back. */
import type { RequestListener } from 'node:http';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { pino } from 'pino';
import { type Serving, serving } from '../../platform/serving-testing.ts';
import type { NetworkReport } from '../contract/connector.ts';
import { longLease } from '../contract/lease-testing.ts';
import type { PhoneMessage } from '../contract/phone-message.ts';
import { outbound, testContext } from '../http/provider-testing.ts';
import { httpSmsKind } from '../http-sms/http-sms.ts';
import type { HttpSmsSettings } from '../http-sms/settings.ts';
import { checkSettings } from '../runtime/settings.ts';
import { until } from '../smpp/fake-testing.ts';
import { type SimulatedProvider, simulatedPresets, startSimulatedProvider } from './http-provider.ts';
import { publishedScripts } from './published-scripts.ts';

const secrets = { apiKey: 'secret-key', callbackSecret: 'behind-the-address' };
/** With the API secret, which is all that the provider knows. */
const vonageSecrets = { ...secrets, callbackSecret: secrets.apiKey };

let provider: SimulatedProvider;
let told: { reports: NetworkReport[]; messages: PhoneMessage[] };
let settings: HttpSmsSettings;
let receiver: Serving;
/** As a service does with the call of a provider. */
const receive: RequestListener = async (request, response) => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  const [path = '', query = ''] = (request.url ?? '').split('?');
  const key = path.split('/')[2];
  const call = {
    headers: request.headers,
    query,
    body: Buffer.concat(chunks),
    ...(key === undefined ? {} : { key }),
  };
  const known = settings.proof === 'vonage' ? vonageSecrets : secrets;
  const isTheirs = httpSmsKind.inbound?.verify(call, settings, known, 0);
  const read = isTheirs ? await httpSmsKind.inbound?.read(call.body, settings, query) : undefined;
  told.reports.push(...(read?.reports ?? []));
  told.messages.push(...(read?.messages ?? []));
  response.writeHead(isTheirs ? 204 : 401).end();
};

beforeEach(async () => {
  told = { reports: [], messages: [] };
  receiver = await serving(receive);
  provider = await startSimulatedProvider(
    { host: '127.0.0.1', port: 0 },
    {
      scriptOf: publishedScripts.sms,
      callbackUrl: `${receiver.url}/provider/${secrets.callbackSecret}`,
      logger: pino({ level: 'silent' }),
    },
  );
});
afterEach(async () => {
  await provider.close();
  await receiver.close();
});

test.each<[what: string, preset: (typeof simulatedPresets)[number], own: object]>([
  ...simulatedPresets.map((preset) => [preset, preset, {}] as [string, typeof preset, object]),
  ['vonage, signed', 'vonage', { proof: 'vonage' }],
])('%s', async (_what, preset, own) => {
  settings = checkSettings(httpSmsKind, {
    preset,
    username: 'acme',
    baseUrl: `http://127.0.0.1:${provider.port}/${preset}`,
    callbackUrl: `${receiver.url}/provider`,
    ...own,
  } as never);
  expect(await httpSmsKind.test?.(settings, secrets, { now: () => 0 })).toBeUndefined();
  const connector = httpSmsKind.open(settings, secrets, testContext());
  const sms = (id: string, phone: string) =>
    outbound({ id, phone, product: 'sms', sender: '22141', content: 'Habari' });
  const outcomes = await connector.send(
    [
      sms('1', '+254711001000'),
      sms('2', '+254711000006'),
      sms('3', '+254711000005'),
      sms('4', '+254711000011'),
    ],
    longLease,
  );
  expect(outcomes).toMatchObject([
    { kind: 'accepted' },
    { kind: 'accepted' },
    { kind: 'rejected', state: preset === 'kannel' ? 'Failed' : 'InvalidMsisdn' },
    { kind: 'accepted' },
  ]);
  await until(() => told.reports.length === 3 && told.messages.length === 1);
  const byState = told.reports.map(({ state }) => state).sort();
  expect(byState).toEqual(['Delivered', 'Delivered', 'DeliveryImpossible']);
  expect(told.messages).toMatchObject([{ from: expect.stringContaining('254711000011'), to: '22141' }]);
  // Throttled last: it holds back all others.
  expect(await connector.send([sms('5', '+254711000010')], longLease)).toMatchObject([{ kind: 'later' }]);
  await connector.close?.();
});
