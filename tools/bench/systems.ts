/** Brings up what is compared: our service in its shapes, Kannel, and a bare Koa route. */
import type { Knex } from 'knex';
import { type EndToEndOptions, type Figures, runAcceptance, runEndToEnd, type Target } from './flow.ts';
import type { Watched } from './measure.ts';
import type { BareKoaCalls } from './parts/bare-koa.ts';
import { sendPath, startKannel } from './parts/kannel.ts';
import type { LoadOptions } from './parts/load.ts';
import { startPart } from './parts/part.ts';
import { type Cluster, connectTo } from './parts/postgres.ts';
import type { ReceiverCalls } from './parts/receiver.ts';
import { type BenchedService, type ServiceOptions, startBenchedService } from './parts/service.ts';
import type { SmscCalls } from './parts/smsc.ts';

const connections = 32;
const text = 'Habari kutoka Tarishi';
/** Different requests, sent in turn. */
const variants = 50;

export type Shape = Pick<ServiceOptions, 'commands' | 'settings' | 'prepare' | 'directory'> & {
  cluster: Cluster | undefined;
  recipients: number;
};

export async function serviceEndToEnd(
  shape: Shape,
  seconds: number,
  options?: EndToEndOptions,
): Promise<Figures> {
  const [figures] = await serviceEndToEndRepeatedly(shape, seconds, [async () => {}], options);
  return figures as Figures;
}

/** Measures the same service once after each preparation of its database. */
/** What is done before a run; `knex` is the service's database on PostgreSQL. */
export type Preparation = (service: BenchedService, knex: Knex | undefined) => Promise<void>;

export async function serviceEndToEndRepeatedly(
  shape: Shape,
  seconds: number,
  preparations: readonly Preparation[],
  options?: EndToEndOptions,
): Promise<Figures[]> {
  const smsc = await startPart<SmscCalls>('smsc.ts', { reports: true });
  try {
    const smscPort = await smsc.call('port');
    return await withService(shape, smscPort, async (service, watched) => {
      const { signingSecret } = service.demo;
      const receiver = await startPart<ReceiverCalls>('receiver.ts', { signingSecret });
      const knex = service.databaseUrl === undefined ? undefined : connectTo(service.databaseUrl);
      try {
        const callbackUrl = `http://127.0.0.1:${await receiver.call('port')}/receipts`;
        const figures: Figures[] = [];
        for (const prepare of preparations) {
          await prepare(service, knex);
          const load = loadOf(service, shape.recipients, callbackUrl);
          const target = { load, watched: [...watched(), smsc], knex };
          figures.push(await runEndToEnd(target, receiver, seconds, options));
        }
        return figures;
      } finally {
        await knex?.destroy();
        await receiver.end();
      }
    });
  } finally {
    await smsc.end();
  }
}

export function serviceAcceptance(shape: Shape, seconds: number): Promise<Figures> {
  return withService(shape, undefined, (service, watched) =>
    runAcceptance({ load: loadOf(service, shape.recipients, undefined), watched: watched() }, seconds),
  );
}

export async function kannelEndToEnd(seconds: number): Promise<Figures> {
  const smsc = await startPart<SmscCalls>('smsc.ts', { reports: true });
  const receiver = await startPart<ReceiverCalls>('receiver.ts');
  const kannel = await startKannel(await smsc.call('port'));
  try {
    const receiverUrl = `http://127.0.0.1:${await receiver.call('port')}/`;
    const target = kannelTarget(kannel, receiverUrl);
    return await runEndToEnd({ ...target, watched: [...target.watched, smsc] }, receiver, seconds);
  } finally {
    await kannel.stop();
    await receiver.end();
    await smsc.end();
  }
}

/** As it accepts, it submits: its SMSC takes everything and reports nothing. */
export async function kannelAcceptance(seconds: number): Promise<Figures> {
  const smsc = await startPart<SmscCalls>('smsc.ts', { reports: false });
  const kannel = await startKannel(await smsc.call('port'));
  try {
    const target = kannelTarget(kannel, undefined);
    return await runAcceptance({ ...target, watched: [...target.watched, smsc] }, seconds);
  } finally {
    await kannel.stop();
    await smsc.end();
  }
}

export async function bareKoa(seconds: number): Promise<Figures> {
  const koa = await startPart<BareKoaCalls>('bare-koa.ts');
  try {
    const load: LoadOptions = {
      baseUrls: [`http://127.0.0.1:${await koa.call('port')}`],
      method: 'POST',
      path: '/',
      headers: {},
      bodies: bodiesOf(1, undefined),
      messagesPerRequest: 1,
      connections,
    };
    return await runAcceptance({ load, watched: [koa] }, seconds);
  } finally {
    await koa.end();
  }
}

async function withService<Result>(
  { cluster, recipients: _, ...options }: Shape,
  smscPort: number | undefined,
  run: (service: BenchedService, watched: () => Watched) => Promise<Result>,
): Promise<Result> {
  const service = await startBenchedService({ ...options, serverUrl: cluster?.url, smscPort });
  try {
    return await run(service, () => [...service.processes, ...(cluster?.processes ?? [])]);
  } finally {
    await service.dispose();
  }
}

export function loadOf(
  { demo, token, baseUrls }: BenchedService,
  recipients: number,
  callbackUrl: string | undefined,
): LoadOptions {
  return {
    baseUrls,
    method: 'POST',
    path: `/message/${demo.smsServiceId}`,
    headers: { authorization: `Bearer ${token}` },
    bodies: bodiesOf(recipients, callbackUrl),
    messagesPerRequest: recipients,
    connections,
  };
}

function kannelTarget(kannel: Awaited<ReturnType<typeof startKannel>>, receiverUrl?: string): Target {
  return {
    load: {
      baseUrls: [kannel.baseUrl],
      method: 'GET',
      path: '',
      headers: {},
      bodies: Array.from({ length: variants }, (_, index) =>
        sendPath(phoneOf(index).slice(1), text, receiverUrl),
      ),
      messagesPerRequest: 1,
      connections,
    },
    watched: Object.entries(kannel.pids).map(([name, pid]) => ({ name, pid })),
  };
}

/** `variants` different requests. */
export function bodiesOf(recipients: number, callbackUrl: string | undefined): string[] {
  return Array.from({ length: variants }, (_, variant) =>
    JSON.stringify({
      type: 'SendToMany',
      addresses: Array.from({ length: recipients }, (_, index) => phoneOf(variant * recipients + index)),
      message: text,
      ...(callbackUrl === undefined
        ? {}
        : { receiptRequest: { correlator: `bench-${variant}`, callbackUrl } }),
    }),
  );
}

/** Of one channel, and of no number that the simulators treat in a special way. */
function phoneOf(index: number): string {
  return `+25471100${1_000 + (index % 8_000)}`;
}
