/** The kinds of connectors there are. */
import type { ConnectorKind } from './kind.ts';
import { simulatorKind } from './simulator.ts';

export type KindName = 'simulator';

export const connectorKinds: { readonly [Name in KindName]: ConnectorKind } = {
  simulator: simulatorKind,
};

export function isKindName(name: string): name is KindName {
  return Object.hasOwn(connectorKinds, name);
}
