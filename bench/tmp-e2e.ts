/** How many messages a second go all the way: accepted, submitted, reported, and told to the client. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { startSms } from '../contract-tests/sms.ts';
import { topUp, withStoredData } from '../contract-tests/stored-data.ts';

const requests = Number(process.env.BENCH_SMPP_REQUESTS ?? 50);
const recipients = 100;

export async function benchSmppService(print: (line: string) => void): Promise<void> {
  const smsc = fork(new URL('smpp-peer.ts', import.meta.url), ['reports']);
  const [{ port }] = (await once(smsc, 'message')) as [{ port: number }];
  const callbacks = await listen();
  const sms = await startSms({
    RATE_LIMIT_PER_SECOND: '1000000',
    LOG_LEVEL: 'warn',
    CHECKED_ANSWERS: '0.01',
  });
  try {
    await sms.service.stop();
    const settings = { host: '127.0.0.1', port, systemId: 'bench', window: 50, rate: 100_000 };
    await withStoredData(sms.service, async (knex) => {
      await knex('connectors').insert({ name: 'smsc', kind: 'smpp', settings: JSON.stringify(settings) });
      
      await topUp(knex, sms.demo.clientId, 1_000_000);
    });
    await sms.service.restart();
    await run(sms, callbacks, 5);
    const seconds = await run(sms, callbacks, requests);
    const messages = requests * recipients;
    print(
      `accept → SMSC → report → callback, embedded database: ${Math.round(messages / seconds)} messages/s`,
    );
  } finally {
    await sms.service.dispose();
    callbacks.close();
    smsc.kill();
  }
}

type Callbacks = Awaited<ReturnType<typeof listen>>;
type Sms = Awaited<ReturnType<typeof startSms>>;

/** Seconds until the last of so many requests' receipts has come. */
async function run({ send }: Sms, callbacks: Callbacks, count: number): Promise<number> {
  const all = callbacks.expect(count * recipients);
  const startedMs = performance.now();
  const addresses = Array.from({ length: recipients }, (_, index) => `+2547110${10_000 + index}`);
  const receiptRequest = { callbackUrl: callbacks.url };
  for (let left = count; left > 0; left -= 10) {
    const bodies = Array.from({ length: Math.min(10, left) }, () => ({
      type: 'SendToMany',
      addresses,
      message: 'Habari kutoka Tarishi',
      receiptRequest,
    }));
    for (const { status, text } of await Promise.all(bodies.map((body) => send(body))))
      if (status !== 200) throw new Error(text);
  }
  await all;
  return (performance.now() - startedMs) / 1_000;
}

async function listen() {
  let left = 0;
  let done = () => {};
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      response.writeHead(204).end();
      left -= 1;
      if (left === 0) done();
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const address = server.address();
  return {
    url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}/receipts`,
    expect: (count: number) =>
      new Promise<void>((resolve) => {
        left = count;
        done = resolve;
      }),
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
