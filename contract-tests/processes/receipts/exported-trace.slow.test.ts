/** The example of docs/tracing.md in a `serve` and a `work` that share a PostgreSQL: their spans are one trace. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Collector, installExample, startCollector } from '../../../deploy/otel/collector-testing.ts';
import { phones, type SmsService, startSms, toMany } from '../../support/requests/sms.ts';
import { call, tokenFor } from '../../support/service/api.ts';
import { type Beside, startBeside } from '../../support/service/deployment.ts';
import { describeOnPostgres } from '../../support/service/on-postgres.ts';
import { type Receiver, startReceiver } from '../../support/service/receiver.ts';

const example = installExample();
const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
const parentId = '00f067aa0ba902b7';

const onPostgres = describeOnPostgres('the embedded database serves one process');

let sms: SmsService;
let receiver: Receiver;
let collector: Collector;
let serve: Beside;
let work: Beside;

onPostgres('serve and work, each with the example', () => {
  beforeAll(async () => {
    [receiver, collector, sms] = await Promise.all([startReceiver(), startCollector(), startSms()]);
    await sms.service.stop();
    const start = (command: 'serve' | 'work') =>
      startBeside(sms.service, command, {
        ALLOW_LOOPBACK_CALLBACKS: 'true',
        NODE_OPTIONS: `--import ${example}`,
        OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint,
        OTEL_SERVICE_NAME: command,
        OTEL_BSP_SCHEDULE_DELAY: '50',
      });
    [serve, work] = await Promise.all([start('serve'), start('work')]);
  });
  afterAll(async () => {
    await Promise.all([serve?.stop(), work?.stop()]);
    await sms?.service.dispose();
    collector?.close();
    receiver?.close();
  });

  test('the trace of a client goes through both, to the callback', async () => {
    const token = await tokenFor(serve.baseUrl, sms.demo);
    const { status } = await call(serve.baseUrl, `/message/${sms.demo.smsServiceId}`, {
      token,
      headers: { traceparent: `00-${traceId}-${parentId}-01` },
      body: toMany(phones(1), 'Habari', {
        receiptRequest: { callbackUrl: receiver.url('/receipts'), correlator: 'order-1' },
      }),
    });
    expect(status).toBe(200);
    const [callback] = await receiver.received('/receipts', 1);
    const spans = await collector.trace(traceId, 5);
    const request = spans.find(({ name }) => name === 'POST /message/{serviceId}');
    expect(request).toMatchObject({ serviceName: 'serve', parentSpanId: parentId });
    const below = spans.filter(({ parentSpanId }) => parentSpanId === request?.spanId);
    expect(below.map(({ serviceName, name }) => `${serviceName}: ${name}`).sort()).toEqual([
      'serve: accept',
      ...['callback', 'claim', 'submit'].map((name) => `work: ${name}`),
    ]);
    const posted = below.find(({ name }) => name === 'callback');
    expect(callback?.headers.traceparent).toBe(`00-${traceId}-${posted?.spanId}-01`);
  });
});
