/** The table of all connector kinds. */
import type { Product } from '../../intake/plan.ts';
import { bundlesKind } from '../bundles/bundles.ts';
import type { ConnectorKind } from '../contract/kind.ts';
import { bundleSimulatorKind } from '../simulators/bundle-simulator.ts';
import { chatSimulatorKind } from '../simulators/chat-simulator.ts';
import { simulatorKind } from '../simulators/sms-simulator.ts';
import { smppKind } from '../smpp/open.ts';
import { whatsAppKind } from '../whatsapp/whatsapp.ts';

export type KindName = 'simulator' | 'bundle-simulator' | 'chat-simulator' | 'bundles' | 'smpp' | 'whatsapp';

export const connectorKinds: { readonly [Name in KindName]: ConnectorKind } = {
  simulator: simulatorKind,
  'bundle-simulator': bundleSimulatorKind,
  'chat-simulator': chatSimulatorKind,
  bundles: bundlesKind,
  smpp: smppKind,
  whatsapp: whatsAppKind,
};

/** What each of them hands over. */
export const productOfKind: { readonly [Name in KindName]: Product } = {
  simulator: 'sms',
  'bundle-simulator': 'data',
  'chat-simulator': 'chatapp',
  bundles: 'data',
  smpp: 'sms',
  whatsapp: 'chatapp',
};

/** Whether connectors of this kind hand messages of this product over. */
export function takes(kind: string, product: Product): boolean {
  return isKindName(kind) && productOfKind[kind] === product;
}

export function isKindName(name: string): name is KindName {
  return Object.hasOwn(connectorKinds, name);
}
