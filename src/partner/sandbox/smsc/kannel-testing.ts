/** Debian's Kannel for tests: bearerbox and smsbox, bound to an SMSC of this machine. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../../platform/free-port-testing.ts';

export interface Kannel {
  /** Takes messages, with the user name and the password `trial`. */
  url: string;
  close: () => Promise<void>;
}

/** `getUrl`: what is called with the texts of phones, in Kannel's words. */
export async function startKannel({
  smscPort,
  getUrl,
}: {
  smscPort: number;
  getUrl?: string;
}): Promise<Kannel> {
  const [adminPort, boxPort, sendPort] = await Promise.all([freePort(), freePort(), freePort()]);
  const directory = mkdtempSync(join(tmpdir(), 'tarishi-kannel-'));
  const file = join(directory, 'kannel.conf');
  writeFileSync(file, configuration({ smscPort, adminPort, boxPort, sendPort }, getUrl));
  const output: string[] = [];
  const children: ChildProcess[] = [];
  const close = async () => {
    for (const child of children.reverse()) {
      const ended = once(child, 'exit');
      if (child.exitCode === null && child.kill('SIGKILL')) await ended;
    }
    rmSync(directory, { recursive: true });
  };
  const status = `http://127.0.0.1:${adminPort}/status.txt`;
  try {
    for (const box of ['bearerbox', 'smsbox']) {
      children.push(run(box, file, output));
      // The second box connects to the first.
      await answers(status, /Box connections|Status/, output);
    }
    await answers(status, /smpp.*\(online/is, output);
    await answers(`http://127.0.0.1:${sendPort}/`, /./, output);
  } catch (error) {
    await close();
    throw error;
  }
  return { url: `http://127.0.0.1:${sendPort}`, close };
}

function configuration(
  ports: Record<'smscPort' | 'adminPort' | 'boxPort' | 'sendPort', number>,
  getUrl?: string,
): string {
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
${getUrl === undefined ? 'text = ""' : `get-url = "${getUrl}"`}
max-messages = 0
`;
}

function run(box: string, file: string, output: string[]): ChildProcess {
  const child = spawn(box, ['-v', '1', file], { stdio: ['ignore', 'pipe', 'pipe'] });
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (bytes) => output.push(String(bytes)));
  return child;
}

async function answers(url: string, wanted: RegExp, output: readonly string[]): Promise<void> {
  const deadlineMs = performance.now() + 150_000;
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
