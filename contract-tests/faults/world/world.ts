/** Everything that a run needs: the data, the networks, the instances of the service, and time. */
import { Writable } from 'node:stream';
import { type Logger, pino } from 'pino';
import { readConfig } from '../../../src/process/config.ts';
import { state } from '../choke/database.ts';
import { createIdleStatements } from '../choke/idle.ts';
import { currentInstance, outside } from '../choke/instance.ts';
import { network } from '../choke/network.ts';
import { stillness } from '../time/stillness.ts';
import { elapsedMs, livedMs, moveToNextTimer } from '../time/virtual-time.ts';
import { type Client, createClient } from './client.ts';
import { type Data, openData } from './data.ts';
import { type Networks, type Script, startNetworks } from './networks.ts';
import { type Service, startService } from './service.ts';

export interface World {
  data: Data;
  networks: Networks;
  client: Client;
  /** In the order in which they were started; some are dead. */
  services: Service[];
  /** Starts one more instance on the same data; again and again, if it ends before it runs. */
  start: () => Promise<void>;
  /** Ends what runs, and starts anew. */
  restart: () => void;
  /** Sentences on instances that ended while they started. */
  ended: readonly string[];
  /** Runs it after so many milliseconds; the run does not end before. */
  later: (ms: number, run: () => unknown) => void;
  /** How much of what `later` was given is still to come. */
  pending: () => number;
  /** How often somebody worked without end at one instant. */
  restless: () => number;
  /** The names of those whose lease was over before their work was done. */
  lateInstances: readonly string[];
  note: (words: string) => void;
  /** Lets time pass until it is done, or until so many milliseconds have passed. */
  pass: (done: () => boolean, limitMs: number) => Promise<boolean>;
  /** Lets time pass until the work is done. */
  finish: <Result>(work: Promise<Result>) => Promise<Result>;
  /** Ends all instances, and deletes what they have left. */
  clear: () => Promise<void>;
  close: () => Promise<void>;
}

const startLimitMs = 120_000;
/** Whatever looks after processes starts one again so soon. */
export const restartMs = 1_000;

export async function openWorld(databaseUrl: string | undefined, usual: Script): Promise<World> {
  const secretKey = Buffer.alloc(32, 7).toString('base64');
  let services: Service[] = [];
  const port = () =>
    services.findLast(({ instance }) => instance.lives() && !instance.frozen())?.port ??
    services.findLast(({ instance }) => instance.lives())?.port;
  const networks = await startNetworks(usual, port);
  const data = await openData(databaseUrl, secretKey, networks.connectors);
  const config = {
    ...readConfig({ NODE_ENV: 'production', RECEIPT_SCHEDULE_SECONDS: '2,4,8,16,32' }),
    secretKey,
    archiveUrl: data.archiveUrl,
    allowLoopbackCallbacks: true,
  };
  state.idle = createIdleStatements();
  let started = 0;
  let ended: string[] = [];
  let pending = 0;
  let restless = 0;
  const note = (words: string) => state.recorder?.note(words);
  const late: string[] = [];
  const logger = noting((words) => {
    const name = currentInstance()?.name ?? '';
    if (words.includes('a lease was over')) late.push(name);
    note(`log ${name}  ${words}`);
  });
  const pass = async (done: () => boolean, limitMs: number) => {
    const untilMs = livedMs() + limitMs;
    for (;;) {
      if (!(await stillness())) restless += 1;
      if (done()) return true;
      if (!moveToNextTimer(elapsedMs() + untilMs - livedMs())) return done();
    }
  };
  const finish = async <Result>(work: Promise<Result>): Promise<Result> => {
    let isDone = false;
    const done = () => {
      isDone = true;
    };
    work.then(done, done);
    if (!(await pass(() => isDone, startLimitMs))) throw new Error('it did not end');
    return work;
  };
  const world: World = {
    data,
    networks,
    get services() {
      return services;
    },
    client: createClient({
      port,
      clientId: data.demo.clientId,
      clientSecret: data.demo.clientSecret,
      onRetry: (words) => note(`client  ${words}`),
    }),
    start: () =>
      outside(async () => {
        started += 1;
        const name = String.fromCharCode(64 + started);
        note(`${name} starts`);
        const { instance, ready } = startService({ name, config, logger, openDatabase: data.open });
        try {
          const service = await ready;
          network.peers.set(service.port, 'api');
          services.push(service);
          note(`${name} runs`);
        } catch (error) {
          if (!state.recorder?.armed()) throw error;
          instance.kill();
          ended.push(`${name} ended while it started: ${(error as Error).message}`);
          note(`${name} ends: ${(error as Error).message}`);
          world.later(restartMs, world.start);
        }
      }),
    restart: () => {
      for (const { instance } of services) instance.kill();
      void world.start();
    },
    get ended() {
      return ended;
    },
    later: (ms, run) =>
      outside(() => {
        pending += 1;
        setTimeout(async () => {
          try {
            await run();
          } finally {
            pending -= 1;
          }
        }, ms);
      }),
    pending: () => pending,
    restless: () => restless,
    lateInstances: late,
    note,
    pass,
    finish,
    clear: async () => {
      for (const { instance, port } of services) {
        instance.kill();
        network.peers.delete(port);
      }
      world.client.giveUp();
      services = [];
      started = 0;
      ended = [];
      late.splice(0);
      pending = 0;
      restless = 0;
      await networks.clear();
      await data.reset();
    },
    close: async () => {
      await networks.close();
      await data.close();
    },
  };
  return world;
}

/** Warnings and errors, in one line each. */
function noting(note: (words: string) => void): Logger {
  const stream = new Writable({
    write: (line, _encoding, done) => {
      const { msg, err, ...rest } = JSON.parse(String(line));
      note(
        `${msg}${err === undefined ? '' : `: ${String(err.message).split('\n')[0]?.slice(-160)}`} ${shortly(rest)}`,
      );
      done();
    },
  });
  return pino({ level: 'warn', base: null, timestamp: false }, stream);
}

function shortly({ level: _level, ...rest }: Record<string, unknown>): string {
  return Object.keys(rest).length === 0 ? '' : JSON.stringify(rest).slice(0, 200);
}
