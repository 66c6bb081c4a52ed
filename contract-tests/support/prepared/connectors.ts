/** Puts real kinds of connectors into a service's data before it starts. */
import { placeOf } from '../../../src/platform/secrets/secrets.ts';
import type { Prepared } from './data.ts';

export interface NewConnector {
  name: string;
  kind: string;
  settings: object;
  secrets?: Readonly<Record<string, string>>;
}

/** Inserts the connector; no channel uses it yet. */
export async function addConnector(
  { knex, secrets: keys }: Pick<Prepared, 'knex' | 'secrets'>,
  { name, kind, settings, secrets }: NewConnector,
): Promise<void> {
  await knex('connectors').insert({
    name,
    kind,
    settings: JSON.stringify(settings),
    ...(secrets === undefined
      ? {}
      : { secrets: keys.encrypt(JSON.stringify(secrets), placeOf.connectorSecrets(name)) }),
  });
}

/** The same, and SMS to Safaricom's numbers go through it. */
export async function addSafaricomConnector(prepared: Prepared, connector: NewConnector): Promise<void> {
  await addConnector(prepared, connector);
  await prepared.knex('channels').where({ name: 'Safaricom' }).update({ connector: connector.name });
}
