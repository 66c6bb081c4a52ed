/** Debian's Kannel as an ESME bound to the simulated SMSC: it sends, and gets the delivery report. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect } from '@jest/globals';
import { pino } from 'pino';
import { publishedScripts } from '../../../connectors/simulators/published-scripts.ts';
import { withPeer } from '../../../connectors/smpp/peers/installed-testing.ts';
import { freePort } from '../../../platform/free-port-testing.ts';
import { startSimulatedSmsc } from './simulated.ts';

const test = withPeer('kannel', 'bearerbox', ['--version']);

let ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.reverse()) await end();
  ends = [];
});

test('a message of three parts is accepted, and each outcome is reported', async () => {
  const smsc = await startSimulatedSmsc(
    { host: '127.0.0.1', port: 0 },
    publishedScripts.sms,
    pino({ level: 'silent' }),
  );
  ends.push(smsc.close);
  const heard: URLSearchParams[] = [];
  const listener = createServer((request, response) => {
    heard.push(new URL(request.url ?? '/', 'http://localhost').searchParams);
    response.end();
  });
  await once(listener.listen(0, '127.0.0.1'), 'listening');
  ends.push(() => listener.close());
  const [adminPort, boxPort, sendPort] = await Promise.all([freePort(), freePort(), freePort()]);
  const directory = mkdtempSync(join(tmpdir(), 'tarishi-kannel-'));
  ends.push(() => rmSync(directory, { recursive: true }));
  const file = join(directory, 'kannel.conf');
  writeFileSync(file, configuration({ smscPort: smsc.port, adminPort, boxPort, sendPort }));
  const output: string[] = [];
  for (const box of ['bearerbox', 'smsbox']) {
    run(box, file, output);
    // The second box connects to the first.
    await answers(`http://127.0.0.1:${adminPort}/status.txt`, /Box connections|Status/, output);
  }
  await answers(`http://127.0.0.1:${adminPort}/status.txt`, /smpp.*\(online/is, output);
  await answers(`http://127.0.0.1:${sendPort}/`, /./, output);

  const address = listener.address();
  const port = typeof address === 'object' ? address?.port : 0;
  for (const to of ['254711001000', '254711000006']) {
    const query = new URLSearchParams({
      username: 'trial',
      password: 'trial',
      from: 'TRIAL',
      to,
      text: 'Habari ya asubuhi. '.repeat(20),
      'dlr-mask': '31',
      'dlr-url': `http://127.0.0.1:${port}/?to=${to}&kind=%d&answer=%A`,
    });
    const sent = await fetch(`http://127.0.0.1:${sendPort}/cgi-bin/sendsms?${query}`);
    expect([sent.status, await sent.text()]).toEqual([202, expect.stringContaining('Accepted')]);
  }
  // Kannel's kinds: 1 delivered, 2 not delivered, 8 taken by the SMSC.
  await untilHeard(
    () => kinds('254711001000').includes('1') && kinds('254711000006').includes('2'),
    () => [...heard.map(String), ...output].join('\n'),
  );
  expect(kinds('254711001000')).toContain('8');
  expect(kinds('254711001000')).not.toContain('2');

  function kinds(to: string): (string | null)[] {
    return heard.filter((one) => one.get('to') === to).map((one) => one.get('kind'));
  }
}, 90_000);

function configuration(ports: Record<'smscPort' | 'adminPort' | 'boxPort' | 'sendPort', number>): string {
  return `group = core
admin-port = ${ports.adminPort}
admin-password = trial
admin-interface = 127.0.0.1
smsbox-port = ${ports.boxPort}
smsbox-interface = 127.0.0.1
box-allow-ip = 127.0.0.1

group = smsc
smsc = smpp
smsc-id = simulator
host = 127.0.0.1
port = ${ports.smscPort}
transceiver-mode = true
smsc-username = kannel
smsc-password = trial
system-type = ""
interface-version = 34

group = smsbox
bearerbox-host = 127.0.0.1
sendsms-port = ${ports.sendPort}
sendsms-interface = 127.0.0.1

group = sendsms-user
username = trial
password = trial
max-messages = 10
concatenation = true

group = sms-service
keyword = default
text = ""
max-messages = 0
`;
}

function run(box: string, file: string, output: string[]): void {
  const child: ChildProcess = spawn(box, ['-v', '1', file], { stdio: ['ignore', 'pipe', 'pipe'] });
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (bytes) => output.push(String(bytes)));
  ends.push(async () => {
    const ended = once(child, 'exit');
    if (child.exitCode === null && child.kill('SIGKILL')) await ended;
  });
}

async function answers(url: string, wanted: RegExp, output: readonly string[]): Promise<void> {
  const deadlineMs = performance.now() + 30_000;
  for (;;) {
    const text = await fetch(url).then(
      (response) => response.text(),
      () => '',
    );
    if (wanted.test(text)) return;
    if (performance.now() > deadlineMs) throw new Error(`${url} answers "${text}"\n${output.join('')}`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

async function untilHeard(holds: () => boolean, what: () => string): Promise<void> {
  const deadlineMs = performance.now() + 30_000;
  while (!holds()) {
    if (performance.now() > deadlineMs) throw new Error(`the reports did not come:\n${what()}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
