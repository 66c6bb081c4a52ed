/** The table of all connector kinds. */
import type { Product } from '../../model/plan.ts';
import { bundlesKind } from '../bundles/bundles.ts';
import type { ConnectorKind, KindRules } from '../contract/kind.ts';
import { httpSmsKind } from '../http-sms/http-sms.ts';
import { openPicture } from '../simulators/picture.ts';
import { smppKind } from '../smpp/open.ts';
import { whatsAppKind } from '../whatsapp/whatsapp.ts';

type NetworkKindName = 'bundles' | 'http-sms' | 'smpp' | 'whatsapp';
type SimulatorName = 'simulator' | 'bundle-simulator' | 'chat-simulator';
export type KindName = NetworkKindName | SimulatorName;

export const networkKinds: { readonly [Name in NetworkKindName]: ConnectorKind } = {
  bundles: bundlesKind,
  'http-sms': httpSmsKind,
  smpp: smppKind,
  whatsapp: whatsAppKind,
};

/** Simulated networks need no settings; each process opens its own. */
const simulated: KindRules = {
  documented: { properties: {}, required: [], secrets: [] },
  openMedia: openPicture,
};

export const connectorKinds: { readonly [Name in KindName]: KindRules } = {
  simulator: simulated,
  'bundle-simulator': simulated,
  'chat-simulator': simulated,
  ...networkKinds,
};

/** The product that each kind submits. */
export const productOfKind: { readonly [Name in KindName]: Product } = {
  simulator: 'sms',
  'bundle-simulator': 'data',
  'chat-simulator': 'chatapp',
  bundles: 'data',
  'http-sms': 'sms',
  smpp: 'sms',
  whatsapp: 'chatapp',
};

/** Whether connectors of this kind submit messages of this product. */
export function takes(kind: string, product: Product): boolean {
  return isKindName(kind) && productOfKind[kind] === product;
}

export function isKindName(name: string): name is KindName {
  return Object.hasOwn(connectorKinds, name);
}

export function isSimulated(kind: KindName): kind is SimulatorName {
  return connectorKinds[kind] === simulated;
}
