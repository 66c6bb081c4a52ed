/** Writes channels and connectors as the contract shows them. */
import type { Management } from '../../../src/manage/management.ts';
import {
  type ConnectorState,
  type ConnectorView,
  listConnectors,
} from '../../../src/manage/networks/connectors.ts';
import type { StoredChannel } from '../../../src/phone/repository.ts';
import { wire } from '../operation.ts';

export function writtenChannel({ bundleConnector, ...channel }: StoredChannel) {
  return wire({ ...channel, bundleConnector: bundleConnector ?? null });
}

/** The version is in the ETag. */
export function writtenConnector({ version: _version, ...connector }: ConnectorState) {
  return wire(connector);
}

/** A connector with its condition in all processes. */
export async function stateOf(management: Management, connector: ConnectorView) {
  const states = await listConnectors(management);
  const state = states.find(({ name }) => name === connector.name) ?? unseen;
  return writtenConnector({ ...state, ...connector });
}

/** Of a connector that was removed at the same time. */
const unseen = {
  condition: 'away',
  reason: null,
  binds: null,
  bound: null,
  window: null,
  inFlight: null,
  ratePerSecond: null,
  throttled: false,
  lastError: null,
  lastErrorAt: null,
  uses: [],
} as const;
