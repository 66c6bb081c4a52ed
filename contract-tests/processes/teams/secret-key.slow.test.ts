/** SECRET_KEY is replaced under load: no request, token, login, receipt or signature is lost. */
import { randomBytes, randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import { toMany } from '../../support/requests/sms.ts';
import { type Answer, call, tokenFor } from '../../support/service/api.ts';
import { runInProcess } from '../../support/service/command-line.ts';
import { startProcess } from '../../support/service/deployment.ts';
import { processEnvironment } from '../../support/service/process.ts';
import { type Receiver, startReceiver } from '../../support/service/receiver.ts';
import { type Service, startService } from '../../support/service/service.ts';

const newKey = randomBytes(32).toString('base64');
const callers = 3;
const pauseMs = 150;

let service: Service;
let receiver: Receiver;

beforeAll(async () => {
  service = await startService();
  receiver = await startReceiver();
});
afterAll(async () => {
  receiver?.close();
  await service?.dispose();
});

/** Calls the first process that is there, as a proxy does; while there is none, repeats what is safe to repeat. */
async function served(urls: readonly string[], work: (url: string) => Promise<Answer>): Promise<Answer> {
  for (;;) {
    for (const url of urls) {
      const answer = await work(url).catch((error: Error) => {
        if (error.message !== 'fetch failed') throw error;
      });
      if (answer !== undefined && answer.status !== 503) return answer;
    }
    await delay(50);
  }
}

/** Sends with an old and a new token in turn, until it is ended. */
function startLoad(urls: readonly string[], oldToken: string) {
  let going = true;
  let [sent, requests] = [0, 0];
  const caller = async () => {
    while (going) {
      const login = await served(urls, async (url) => {
        const token = await tokenFor(url, service.demo);
        return { status: 200, body: token } as Answer;
      });
      for (const token of [oldToken, String(login.body)]) {
        const key = randomUUID();
        const body = toMany(['+254711000000'], 'Habari', {
          receiptRequest: { correlator: key, callbackUrl: receiver.url('/receipts') },
        });
        const answer = await served(urls, (url) =>
          call(url, `/message/${service.demo.smsServiceId}`, {
            token,
            body,
            headers: { 'idempotency-key': key },
          }),
        );
        expect([answer.status, answer.text]).toEqual([200, expect.anything()]);
        sent += 1;
      }
      requests += 1;
      await delay(pauseMs);
    }
  };
  const done = Promise.all(Array.from({ length: callers }, caller));
  return {
    /** After this many more of the callers' turns. */
    turns: async (count: number) => {
      const until = requests + count;
      while (requests < until) await Promise.race([delay(20), done]);
    },
    end: async () => {
      going = false;
      await done;
      return sent;
    },
  };
}

const settings = () => ({
  DATA_DIR: service.dataDirectory,
  ...(service.databaseUrl === undefined ? {} : { DATABASE_URL: service.databaseUrl }),
});

async function tarishi(words: string, environment: Record<string, string>) {
  const all = { ...processEnvironment, ...settings(), ...environment };
  const { code, out, err } = await runInProcess(words.split(' '), all);
  return { code, output: out + err };
}

test('rotation under load: every request is accepted once, and every receipt comes with the right signature', async () => {
  const oldKey = readFileSync(join(service.dataDirectory, 'secret.key'), 'utf8');
  const [both, onlyNew] = [{ SECRET_KEY: newKey, SECRET_KEY_PREVIOUS: oldKey }, { SECRET_KEY: newKey }];
  const { baseUrl } = service.demo;
  const urls = [baseUrl];
  const oldToken = await tokenFor(baseUrl, service.demo);
  const load = startLoad(urls, oldToken);
  await load.turns(5);

  const beside = async (keys: Record<string, string>) => {
    const started = await startProcess('start', {
      PUBLIC_URL: baseUrl,
      DEMO: 'true',
      ...settings(),
      ...keys,
    });
    urls.push(started.baseUrl);
    await load.turns(5);
    return started;
  };
  const restart = async (keys: Record<string, string>) => {
    await service.stop();
    delete service.environment.SECRET_KEY_PREVIOUS;
    Object.assign(service.environment, keys);
    await service.restart();
    await load.turns(5);
  };

  if (service.databaseUrl === undefined) {
    // One process at a time: the load waits while there is none.
    await service.stop();
    const early = await tarishi('doctor', onlyNew);
    expect(early).toMatchObject({ output: expect.stringContaining('set SECRET_KEY_PREVIOUS') });
    expect(await tarishi('secret-key rotate', both)).toMatchObject({ code: 0 });
    Object.assign(service.environment, both);
    await service.restart();
    await load.turns(5);
    await restart(onlyNew);
  } else {
    const other = await beside(both);
    // Processes that know only the old key work beside those that know both.
    await load.turns(5);
    await restart(both);
    const doctor = await tarishi('doctor', both);
    expect(doctor.output).toMatch(/secret key +failed +SECRET_KEY is not in use yet/);
    const rotated = await tarishi('secret-key rotate', both);
    expect(rotated).toMatchObject({
      code: 0,
      output: expect.stringContaining('SECRET_KEY_PREVIOUS can be removed now'),
    });
    await load.turns(5);
    await restart(onlyNew);
    urls.splice(1);
    expect(await other.stop()).toBe(0);
    await (await beside(onlyNew)).stop();
  }
  const sent = await load.end();

  const receipts = await receiver.received('/receipts', sent);
  const webhook = new Webhook(service.demo.signingSecret);
  const correlators = receipts.map(({ text, headers }) => {
    const { correlator, deliveryStatus } = webhook.verify(text, headers as Record<string, string>) as {
      correlator: string;
      deliveryStatus: string;
    };
    expect(deliveryStatus).toBe('Delivered');
    return correlator;
  });
  expect(new Set(correlators).size).toBe(sent);
  await service.stop();
  const doctor = await tarishi('doctor', onlyNew);
  expect(doctor.output).not.toMatch(/ledger:|secret key:/);
  expect((await tarishi('doctor', { SECRET_KEY: oldKey })).output).toContain('was replaced by another key');
}, 300_000);
