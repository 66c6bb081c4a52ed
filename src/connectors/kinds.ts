/** The kinds of connectors there are. */
import { bundleSimulatorKind } from './bundle-simulator.ts';
import { bundlesKind } from './bundles/bundles.ts';
import { chatSimulatorKind } from './chat-simulator.ts';
import type { ConnectorKind } from './kind.ts';
import { simulatorKind } from './simulator.ts';
import { smppKind } from './smpp/open.ts';
import { whatsAppKind } from './whatsapp/whatsapp.ts';

export type KindName = 'simulator' | 'bundle-simulator' | 'chat-simulator' | 'bundles' | 'smpp' | 'whatsapp';

export const connectorKinds: { readonly [Name in KindName]: ConnectorKind } = {
  simulator: simulatorKind,
  'bundle-simulator': bundleSimulatorKind,
  'chat-simulator': chatSimulatorKind,
  bundles: bundlesKind,
  smpp: smppKind,
  whatsapp: whatsAppKind,
};

/** Those that give bundles, and can be asked what they gave. */
const bundleKinds: ReadonlySet<string> = new Set<KindName>(['bundles', 'bundle-simulator']);

export function givesBundles(kind: string): boolean {
  return bundleKinds.has(kind);
}

export function isKindName(name: string): name is KindName {
  return Object.hasOwn(connectorKinds, name);
}
