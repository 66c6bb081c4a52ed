/** Makes sure that what goes through a connector is what its kind hands over. */
import { takes } from '../connectors/kinds.ts';
import { createConnectorRepository } from '../connectors/repository.ts';
import type { Database } from '../db/knex.ts';
import type { Product } from '../intake/plan.ts';
import { CommandError } from './command.ts';

const refusals: Readonly<Record<Product, string>> = {
  sms: 'sends no SMS',
  data: 'gives no bundles',
  chatapp: 'sends no chat-app messages',
};

/** Throws a CommandError when there is no such connector, or it hands over something else. */
export async function requireConnector(
  { knex }: Pick<Database, 'knex'>,
  name: string,
  product: Product,
): Promise<void> {
  const stored = await createConnectorRepository(knex).load();
  const connector = stored.find((one) => one.name === name);
  if (connector === undefined)
    throw new CommandError(
      `there is no connector ${name}; there are ${stored.map((one) => one.name).join(', ')}`,
    );
  if (!takes(connector.kind, product))
    throw new CommandError(`the connector ${name} ${refusals[product]}: its kind is ${connector.kind}`);
}
