/** Finds a connector and makes sure that its kind supports the product. */
import { takes } from '../connectors/runtime/kinds.ts';
import { createConnectorRepository } from '../connectors/runtime/repository.ts';
import type { Database } from '../db/knex.ts';
import type { Product } from '../intake/plan.ts';
import { CommandError } from './command.ts';

const refusals: Readonly<Record<Product, string>> = {
  sms: 'cannot send SMS',
  data: 'cannot give bundles',
  chatapp: 'cannot send chat-app messages',
};

/** Throws a CommandError if the connector does not exist or does not support the product. */
export async function requireConnector(
  { knex }: Pick<Database, 'knex'>,
  name: string,
  product: Product,
): Promise<void> {
  const stored = await createConnectorRepository(knex).load();
  const connector = stored.find((one) => one.name === name);
  if (connector === undefined)
    throw new CommandError(
      `connector ${name} does not exist; connectors are ${stored.map((one) => one.name).join(', ')}`,
    );
  if (!takes(connector.kind, product))
    throw new CommandError(`connector ${name} ${refusals[product]}: its kind is ${connector.kind}`);
}
