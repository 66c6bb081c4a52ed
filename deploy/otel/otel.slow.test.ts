/**
 * The example of docs/tracing.md: loaded into the service, which exports to a collector of this test. Debian has no
 * OpenTelemetry Collector: its configuration is read, not run.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { load } from 'js-yaml';
import { phones, startSms, toMany } from '../../contract-tests/support/requests/sms.ts';
import { type Collector, installExample, startCollector } from './collector-testing.ts';

const example = installExample();
const root = new URL('../..', import.meta.url);

let collector: Collector;

beforeAll(async () => {
  collector = await startCollector();
});
afterAll(() => collector.close());

test('a service with the example exports its spans, the last of them as it stops', async () => {
  const sms = await startSms({
    NODE_OPTIONS: `--import ${example}`,
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint,
    OTEL_SERVICE_NAME: 'tarishi-test',
    // No batch is due by time: what arrives was exported at the end.
    OTEL_BSP_SCHEDULE_DELAY: '600000',
  });
  const { status } = await sms.send(toMany(phones(1)));
  expect(await sms.service.stop()).toBe(0);
  await sms.service.dispose();
  expect(status).toBe(200);
  const spans = collector.spans();
  expect(spans.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['POST /oauth/token', 'POST /message/{serviceId}', 'accept']),
  );
  expect(new Set(spans.map(({ serviceName }) => serviceName))).toEqual(new Set(['tarishi-test']));
});

test('the command loads it too, whichever Node starts it', async () => {
  const script = `data:text/javascript,${encodeURIComponent('process.on("exit", () => console.log("loaded", process.argv[2]))')}`;
  const child = spawn(process.execPath, ['bin/tarishi.js', '--version'], {
    cwd: root,
    env: { PATH: process.env.PATH, NODE_OPTIONS: `--import ${script}` },
  });
  let output = '';
  child.stdout.on('data', (bytes) => {
    output += bytes;
  });
  await once(child, 'close');
  expect(output).toContain('loaded --version');
});

test('the collector takes what the example exports, and all that its pipeline names is there', () => {
  const config = load(readFileSync(new URL('collector.yaml', import.meta.url), 'utf8')) as {
    receivers: { otlp: { protocols: { http: { endpoint: string } } } };
    service: { pipelines: Record<string, Record<'receivers' | 'processors' | 'exporters', string[]>> };
  } & Record<'receivers' | 'processors' | 'exporters', Record<string, object>>;
  // Where the example exports to unless it is told otherwise.
  expect(config.receivers.otlp.protocols.http.endpoint).toBe('127.0.0.1:4318');
  expect(Object.keys(config.service.pipelines)).toEqual(['traces']);
  for (const kind of ['receivers', 'processors', 'exporters'] as const)
    expect(config.service.pipelines.traces?.[kind]).toEqual(Object.keys(config[kind]));
});
