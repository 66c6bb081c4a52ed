/** Dashboard and alerts, asked of a Prometheus that scrapes a running service. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@jest/globals';
import { parse, stringify } from 'yaml';
import { addConnector } from '../../contract-tests/support/prepared/connectors.ts';
import { phones, startSms, toMany } from '../../contract-tests/support/requests/sms.ts';
import { startReceiver } from '../../contract-tests/support/service/receiver.ts';
import { freePort } from '../../src/platform/free-port-testing.ts';

const here = fileURLToPath(new URL('.', import.meta.url));
const read = (file: string) => readFileSync(join(here, file), 'utf8');
const installed = spawnSync('prometheus', ['--version']).status === 0;
if (!installed) process.stdout.write('skipped: prometheus is not installed\n');

interface Panel {
  title: string;
  targets?: { expr: string }[];
  panels?: Panel[];
}

const expressionsOf = ({ targets = [], panels = [] }: Panel): string[] => [
  ...targets.map(({ expr }) => expr),
  ...panels.flatMap(expressionsOf),
];

(installed ? test : test.skip)('every panel has numbers, and every alert can be decided', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'tarishi-prometheus-'));
  const receiver = await startReceiver();
  const sms = await startSms({ ALLOW_LOOPBACK_CALLBACKS: 'true' }, async (prepared) => {
    // Nothing listens there.
    const settings = { host: '127.0.0.1', port: await freePort(), systemId: 'tarishi' };
    await addConnector(prepared, { name: 'away', kind: 'smpp', settings, secrets: { password: 'secret' } });
    await prepared.knex('channels').where({ name: 'Airtel' }).update({ connector: 'away' });
  });
  const receiptRequest = { callbackUrl: receiver.url('/receipts') };
  const port = await freePort();
  const config = parse(read('prometheus.yaml'));
  config.scrape_configs[0].static_configs[0].targets = [new URL(sms.service.metricsUrl).host];
  config.global = { scrape_interval: '1s', evaluation_interval: '1s' };
  writeFileSync(join(directory, 'prometheus.yaml'), stringify(config));
  writeFileSync(join(directory, 'alerts.yaml'), read('alerts.yaml'));
  const words = [`--config.file=${directory}/prometheus.yaml`, `--storage.tsdb.path=${directory}/data`];
  const prometheus = spawn('prometheus', [...words, `--web.listen-address=127.0.0.1:${port}`], {
    stdio: 'ignore',
  });
  const ended = once(prometheus, 'exit');
  const ask = async (path: string, query = {}) => {
    const response = await fetch(`http://127.0.0.1:${port}/api/v1/${path}?${new URLSearchParams(query)}`);
    // biome-ignore lint/suspicious/noExplicitAny: the responses of Prometheus.
    return (await response.json()) as any;
  };
  const isThere = async (query: string) =>
    (await ask('query', { query }).catch(() => undefined))?.data?.result.length > 0;
  try {
    await sms.send(toMany([]));
    while (!(await isThere('rate(tarishi_receipt_attempts_total[5m]) > 0'))) {
      // A rate needs a state before and after.
      await sms.send(toMany(phones(1), 'Habari', { receiptRequest }));
      await delay(500);
    }
    const expressions = expressionsOf(JSON.parse(read('dashboard.json')));
    expect(expressions.length).toBeGreaterThan(10);
    const without: string[] = [];
    for (const expression of expressions) {
      const { status, data } = await ask('query', { query: expression });
      if (status !== 'success' || data.result.length === 0) without.push(expression);
    }
    expect(without).toEqual([]);

    const rules = (await ask('rules')).data.groups.flatMap((group: { rules: object[] }) => group.rules);
    expect(rules.filter(({ health }: { health: string }) => health !== 'ok')).toEqual([]);
    const { data: metrics } = await ask('metadata');
    const watched = [
      ...new Set(
        rules
          .map(({ query }: { query: string }) => query)
          .join()
          .match(/\btarishi_\w+/g),
      ),
    ];
    expect(watched.filter((name) => !(String(name).replace(/_(bucket|count)$/, '') in metrics))).toEqual([]);
  } finally {
    prometheus.kill('SIGTERM');
    await ended;
    await sms.service.dispose();
    receiver.close();
    rmSync(directory, { recursive: true });
  }
});
