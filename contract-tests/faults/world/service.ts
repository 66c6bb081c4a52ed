/** Starts the service as one instance inside this process, as a process of its own would start on the same data. */
import { OpenAPIValidator } from 'openapi-backend';
import type { Logger } from 'pino';
import { Registry } from 'prom-client';
import { publishedScripts } from '../../../src/connectors/simulators/published-scripts.ts';
import { connectionLimit } from '../../../src/http/bounds.ts';
import { listen } from '../../../src/http/connections/listener.ts';
import { createReadiness } from '../../../src/http/readiness.ts';
import { systemClock } from '../../../src/platform/clock.ts';
import type { Database } from '../../../src/platform/db/knex.ts';
import { whenReachable } from '../../../src/platform/db/reach.ts';
import type { Config } from '../../../src/process/config.ts';
import { type ProcessContext, paceFor } from '../../../src/process/context.ts';
import { createEvents } from '../../../src/process/events.ts';
import { openSecrets } from '../../../src/process/secret-key.ts';
import { startApi } from '../../../src/process/serve.ts';
import { startWorker } from '../../../src/process/worker/work.ts';
import { createQueue, endLeases } from '../../../src/queue/queue.ts';
import { createCallbackClient } from '../../../src/receipts/callback/client.ts';
import { createDestinations } from '../../../src/receipts/callback/destination.ts';
import { endReceiptLeases } from '../../../src/receipts/posting/repository.ts';
import { createInstance, type Instance, within } from '../choke/instance.ts';

export interface Service {
  instance: Instance;
  /** Of its public API. */
  port: number;
  registry: Registry;
}

export interface ServiceOptions {
  name: string;
  config: Config;
  logger: Logger;
  openDatabase: () => Promise<Database>;
}

/** The URL that tokens are issued for, whatever port an instance has. */
export const publicUrl = 'http://faults.example';

/** Every start would compile the same again. */
const build = OpenAPIValidator.prototype.buildRequestValidatorsForOperation;
const built = new Map<string | undefined, ReturnType<typeof build>>();
OpenAPIValidator.prototype.buildRequestValidatorsForOperation = function (operation) {
  const { operationId } = operation;
  const validators = built.get(operationId) ?? build.call(this, operation);
  built.set(operationId, validators);
  return validators;
};

/** Resolves when it serves and works. */
export function startService({ name, config, logger, openDatabase }: ServiceOptions): {
  instance: Instance;
  ready: Promise<Service>;
} {
  const instance = createInstance(name);
  const ready = within(instance, async () => {
    const database = await openDatabase();
    database.giveUpOnSilence();
    const registry = new Registry();
    const clock = systemClock;
    const context: ProcessContext = {
      config,
      clock,
      logger,
      database,
      queue: createQueue(database.knex),
      secrets: await whenReachable(logger, () => openSecrets(config, database.knex)),
      registry,
      events: createEvents(registry, logger),
      readiness: createReadiness(clock),
      pace: paceFor(database, logger),
    };
    await whenReachable(logger, () => Promise.all([endLeases(database), endReceiptLeases(database)]));
    let api: Awaited<ReturnType<typeof startApi>> | undefined;
    const callbacks = createCallbackClient({ destinations: createDestinations({ allowLoopback: true }) });
    // Halves: the pauses between retries do not differ from run to run.
    const options = { scripts: publishedScripts, callbacks, random: () => 0.5 };
    const worker = await startWorker(context, options, () => api?.busy() ?? false);
    const clients = await listen({ host: '127.0.0.1', port: 0, connectionLimit });
    api = await startApi(context, { clients, publicUrl }, { wake: worker.wake });
    instance.starting = false;
    return { instance, port: clients.port, registry };
  });
  return { instance, ready };
}
