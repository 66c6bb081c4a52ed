/** The connectors of this process, by the name that channels use. */
import type { Connector } from './connector.ts';
import { createSimulator } from './simulator.ts';

/** The connector of that name; undefined when this process has none. */
export type ConnectorRegistry = (name: string) => Connector | undefined;

export function createConnectorRegistry(): ConnectorRegistry {
  const connectors = new Map<string, Connector>([['simulator', createSimulator()]]);
  return (name) => connectors.get(name);
}
