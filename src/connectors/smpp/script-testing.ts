/** An SMSC on loopback with scripted responses, and a connector to it, for tests. */
import { pino } from 'pino';
import { listenAsSmsc, type Smsc, type SmscAnswer } from '../../partner/sandbox/smsc/smsc.ts';
import { createFakeTimers, type FakeTimers, type Opened, openConnector, until } from './fake-testing.ts';
import type { SmppSettings } from './settings.ts';
import type { ShortMessage } from './wire/bodies.ts';

export interface Script {
  /** The connector's; the SMSC's stand still. */
  timers: FakeTimers;
  smsc: Smsc;
  received: ShortMessage[];
  /** Accounts that asked to bind, as `system_id/password`. */
  admissions: string[];
  /** The command_status for binds. */
  admission: number;
  /** `count` is 1 for the first message. */
  answer: (message: ShortMessage, count: number) => SmscAnswer | Promise<SmscAnswer>;
  /** Opens a connector; resolves when so many of its binds are there. */
  open: (settings?: Partial<SmppSettings>, binds?: number) => Promise<Opened>;
  bound: () => number;
  close: () => Promise<void>;
}

export const silence = () => new Promise<SmscAnswer>(() => {});

export async function startScript(): Promise<Script> {
  const timers = createFakeTimers();
  let opened: Opened | undefined;
  const smsc = await listenAsSmsc({
    host: '127.0.0.1',
    port: 0,
    timers: createFakeTimers(),
    logger: pino({ level: 'silent' }),
    admit: (systemId, password) => {
      script.admissions.push(`${systemId}/${password}`);
      return script.admission;
    },
    answer: async (message) => {
      script.received.push(message);
      return script.answer(message, script.received.length);
    },
  });
  const script: Script = {
    timers,
    smsc,
    received: [],
    admissions: [],
    admission: 0,
    answer: () => ({ status: 0 }),
    open: async (settings = {}, binds = settings.binds ?? 1) => {
      opened = openConnector({ port: smsc.port, rate: 100_000, ...settings }, timers);
      await until(() => script.bound() === binds, 'being bound');
      return opened;
    },
    bound: () => opened?.connector.state?.().bound ?? 0,
    close: async () => {
      await Promise.all([opened?.connector.close?.(), smsc.close()]);
    },
  };
  return script;
}
