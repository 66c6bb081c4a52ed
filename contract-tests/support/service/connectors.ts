/** Puts real kinds of connectors into a service's data, as an operator would. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Knex } from 'knex';
import { createSecrets, placeOf } from '../../../src/clients/secrets.ts';
import type { Service } from './service.ts';
import { withStoredData } from './stored-data.ts';

export interface NewConnector {
  name: string;
  kind: string;
  settings: object;
  secrets: Readonly<Record<string, string>>;
}

/** Stops the service, adds the connector, lets `route` send messages to it, and starts the service again. */
export async function addConnector(
  service: Service,
  { name, kind, settings, secrets }: NewConnector,
  route: (knex: Knex) => Promise<unknown>,
): Promise<void> {
  await service.stop();
  const key = Buffer.from(readFileSync(join(service.dataDirectory, 'secret.key'), 'utf8'), 'base64');
  const sealed = createSecrets(key).encrypt(JSON.stringify(secrets), placeOf.connectorSecrets(name));
  await withStoredData(service, async (knex) => {
    await knex('connectors').insert({ name, kind, settings: JSON.stringify(settings), secrets: sealed });
    await route(knex);
  });
  await service.restart();
}
