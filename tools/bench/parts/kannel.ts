/** Debian's Kannel as the measure of comparison: bearerbox and smsbox with a file store, bound to our SMSC. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { freePort } from '../../../src/platform/free-port-testing.ts';

export interface Kannel {
  /** Where sendsms is. */
  baseUrl: string;
  pids: Record<'bearerbox' | 'smsbox', number>;
  stop: () => Promise<void>;
}

/** "1.4.5", or undefined where Kannel is not installed. */
export function kannelVersion(): string | undefined {
  const { stdout, status } = spawnSync('bearerbox', ['--version'], { encoding: 'utf8' });
  return status === 0 ? (/version .?([\d.]+\d)/.exec(stdout)?.[1] ?? 'of unknown version') : undefined;
}

/** Resolves when Kannel is bound to the SMSC and accepts messages. */
export async function startKannel(smscPort: number): Promise<Kannel> {
  const directory = mkdtempSync(join(tmpdir(), 'tarishi-kannel-'));
  const [adminPort, boxPort, sendPort] = await Promise.all([freePort(), freePort(), freePort()]);
  const file = join(directory, 'kannel.conf');
  writeFileSync(file, configuration({ adminPort, boxPort, sendPort, smscPort }, directory));
  const boxes: ChildProcess[] = [];
  const start = (box: string) => {
    const child = spawn(box, ['-v', '4', file], { stdio: 'ignore' });
    const killWithParent = () => child.kill('SIGKILL');
    process.once('exit', killWithParent);
    child.once('exit', () => process.off('exit', killWithParent));
    boxes.push(child);
    return child.pid ?? 0;
  };
  const statusUrl = `http://127.0.0.1:${adminPort}/status.txt`;
  const baseUrl = `http://127.0.0.1:${sendPort}`;
  const bearerbox = start('bearerbox');
  // The second box connects to the first.
  await untilResponse(statusUrl, /Status/);
  const smsbox = start('smsbox');
  await untilResponse(statusUrl, /smpp.*\(online/is);
  await untilResponse(baseUrl, /./);
  return {
    baseUrl,
    pids: { bearerbox, smsbox },
    stop: async () => {
      for (const child of boxes.reverse()) {
        if (child.exitCode !== null || child.signalCode !== null) continue;
        const ended = once(child, 'exit');
        child.kill('SIGKILL');
        await ended;
      }
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

/** The path of a message whose delivery, or failure, is reported to `receiverUrl`. */
export function sendPath(to: string, text: string, receiverUrl: string | undefined): string {
  const query = new URLSearchParams({ username: 'bench', password: 'bench', from: 'TARISHI', to, text });
  if (receiverUrl !== undefined) {
    query.set('dlr-mask', '3');
    query.set('dlr-url', `${receiverUrl}?id=${to}&kind=%d`);
  }
  return `/cgi-bin/sendsms?${query}`;
}

type Ports = Record<'adminPort' | 'boxPort' | 'sendPort' | 'smscPort', number>;

function configuration({ adminPort, boxPort, sendPort, smscPort }: Ports, directory: string): string {
  return `group = core
admin-port = ${adminPort}
admin-password = bench
admin-interface = 127.0.0.1
smsbox-port = ${boxPort}
smsbox-interface = 127.0.0.1
box-allow-ip = 127.0.0.1
store-type = file
store-location = ${join(directory, 'store')}
dlr-storage = internal

group = smsc
smsc = smpp
smsc-id = bench
host = 127.0.0.1
port = ${smscPort}
transceiver-mode = true
smsc-username = kannel
smsc-password = bench
system-type = ""
interface-version = 34
max-pending-submits = 50

group = smsbox
bearerbox-host = 127.0.0.1
sendsms-port = ${sendPort}
sendsms-interface = 127.0.0.1

group = sendsms-user
username = bench
password = bench
max-messages = 10

group = sms-service
keyword = default
text = ""
max-messages = 0
`;
}

async function untilResponse(url: string, wanted: RegExp): Promise<void> {
  const deadlineMs = performance.now() + 30_000;
  for (;;) {
    const text = await fetch(url).then(
      (response) => response.text(),
      () => '',
    );
    if (wanted.test(text)) return;
    if (performance.now() > deadlineMs) throw new Error(`${url} answers "${text}"`);
    await delay(100);
  }
}
