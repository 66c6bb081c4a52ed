/** Measures SMPP: submit_sm beside npm's `smpp` against one SMSC, and what encoding a message costs. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { partsOf } from '../../../src/connectors/smpp/sending/parts.ts';
import type { ClientResult, ClientRun } from './client.ts';

const windows = [1, 10, 50, 100];
const rounds = 3;
const messagesOf: Record<number, number> = { 1: 5_000, 10: 20_000, 50: 40_000, 100: 40_000 };

export async function benchSubmit(print: (line: string) => void): Promise<void> {
  const smsc = fork(new URL('peer.ts', import.meta.url));
  const [{ port }] = (await once(smsc, 'message')) as [{ port: number }];
  try {
    print('submit_sm, each client in a process of its own; the better of three rounds in turn');
    for (const window of windows) {
      const best: Record<ClientRun['client'], ClientResult | undefined> = { ours: undefined, npm: undefined };
      const messages = messagesOf[window] ?? 10_000;
      for (let round = 0; round < rounds; round += 1)
        for (const client of ['ours', 'npm'] as const) {
          const result = await run({ client, port, window, messages });
          if (result.cpuSeconds < (best[client]?.cpuSeconds ?? Number.POSITIVE_INFINITY))
            best[client] = result;
        }
      if (best.ours === undefined || best.npm === undefined) continue;
      const line = (name: string, { seconds, cpuSeconds }: ClientResult) =>
        `${name} ${perSecond(messages, seconds)}/s, ${perSecond(messages, cpuSeconds)} per CPU second`;
      const ratio = (best.npm.cpuSeconds / best.ours.cpuSeconds).toFixed(1);
      print(`  window ${window}: ${line('ours', best.ours)}; ${line('npm smpp', best.npm)}; ${ratio} ×`);
    }
  } finally {
    smsc.kill();
  }
  benchEncoding(print);
}

async function run(options: ClientRun): Promise<ClientResult> {
  const client = fork(new URL('client.ts', import.meta.url));
  client.send(options);
  const [result] = (await once(client, 'message')) as [ClientResult];
  client.kill();
  return result;
}

function benchEncoding(print: (line: string) => void): void {
  print('encoding into parts');
  const texts = {
    '46 GSM-7': 'Habari ya asubuhi, hii ni ujumbe wa majaribio.',
    '960 GSM-7 (7 parts)': 'a'.repeat(960),
    '960 UCS-2 (15 parts)': 'я'.repeat(960),
  };
  for (const [name, text] of Object.entries(texts)) {
    const times = Math.ceil(4_000_000 / text.length);
    const startedMs = performance.now();
    for (let turn = 0; turn < times; turn += 1)
      partsOf(text, turn, { concatenation: 'udh8', defaultAlphabet: 'gsm7' });
    const microseconds = ((performance.now() - startedMs) * 1_000) / times;
    print(`  ${name}: ${microseconds.toFixed(2)} µs`);
  }
}

function perSecond(count: number, seconds: number): string {
  return Math.round(count / seconds).toLocaleString('en');
}
