/** Decides which connector may take a product. */
import type { Knex } from 'knex';
import { takes } from '../../connectors/runtime/kinds.ts';
import { createConnectorRepository } from '../../connectors/runtime/repository.ts';
import type { Product } from '../../model/plan.ts';
import { type Fault, faults } from '../../platform/errors/management.ts';

const cannot: Readonly<Record<Product, string>> = {
  sms: 'cannot send SMS',
  data: 'cannot give bundles',
  chatapp: 'cannot send chat-app messages',
};

/** A fault if the connector does not exist or does not support the product. */
export async function connectorFaults(knex: Knex, name: string, product: Product): Promise<Fault[]> {
  const stored = await createConnectorRepository(knex).load();
  const connector = stored.find((one) => one.name === name);
  if (connector === undefined)
    return [
      faults.connectorUnknown(
        name,
        stored.map((one) => one.name),
      ),
    ];
  return takes(connector.kind, product)
    ? []
    : [faults.connectorProduct(name, cannot[product], connector.kind)];
}
