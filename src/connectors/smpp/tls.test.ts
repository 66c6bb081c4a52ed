/** SMPP over TLS: a certificate that is trusted, and one that is not. */

import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { type AddressInfo, connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createServer } from 'node:tls';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { longLease } from '../contract/lease-testing.ts';
import { createFakeTimers, openConnector, sms, until } from './fake-testing.ts';
import { type Script, startScript } from './script-testing.ts';
import type { SmppSettings } from './settings.ts';

let script: Script;
let directory: string;
let ends: (() => unknown)[];

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'tarishi-tls-'));
  ends = [() => rmSync(directory, { recursive: true })];
  script = await startScript();
  ends.push(script.close);
});
afterEach(async () => {
  for (const end of ends.reverse()) await end();
});

/** An SMSC behind TLS, with a self-signed certificate for 127.0.0.1. Returns the port and the PEM. */
async function behindTls(): Promise<{ port: number; pem: string }> {
  const [key, certificate] = [join(directory, 'key.pem'), join(directory, 'certificate.pem')];
  const made = spawnSync('openssl', [
    ...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '1'],
    ...['-subj', '/CN=smsc', '-addext', 'subjectAltName=IP:127.0.0.1', '-keyout', key, '-out', certificate],
  ]);
  expect([made.status, made.error]).toEqual([0, undefined]);
  const pem = readFileSync(certificate, 'utf8');
  const server = createServer({ key: readFileSync(key), cert: pem }, (socket) => {
    const inner = connect(script.smsc.port, '127.0.0.1');
    socket.on('error', () => {}).pipe(inner);
    inner.on('error', () => {}).pipe(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  ends.push(() => server.close());
  return { port: (server.address() as AddressInfo).port, pem };
}

function open(settings: Partial<SmppSettings>) {
  const opened = openConnector({ tls: true, rate: 1_000, ...settings }, createFakeTimers());
  ends.push(() => opened.connector.close?.());
  return opened;
}

test('binds and sends with a configured certificate', async () => {
  const { port, pem } = await behindTls();
  const { connector } = open({ port, tlsCertificateAuthority: pem });
  await until(() => connector.state?.().bound === 1, 'being bound');
  expect(await connector.send([sms('1')], longLease)).toMatchObject([{ kind: 'accepted' }]);
});

test('shows its password to no other server', async () => {
  const { port } = await behindTls();
  const { lines } = open({ port });
  await until(() => lines.some(({ msg }) => msg === 'connection to the SMSC failed'));
  expect(script.admissions).toEqual([]);
});
