/** Manages connectors: their settings, secrets and condition. */
import { isKindName, type KindName } from '../../connectors/runtime/kinds.ts';
import {
  countAwaited,
  deleteConnector,
  findConnector,
  insertConnector,
  listConnectors as listStored,
  type ManagedConnector,
  pauseConnector as pauseStored,
  resumeConnector as resumeStored,
  updateConnector,
  usesOfConnectors,
} from '../../connectors/runtime/management-repository.ts';
import { type SeenConnector, seenConnectors } from '../../connectors/runtime/state-repository.ts';
import { faults, ManagementError, requireNone } from '../../errors/management.ts';
import type { Management } from '../management.ts';
import {
  changeResource,
  createResource,
  getResource,
  type ResourceKind,
  removeResource,
} from '../resource.ts';
import { choiceFaults, rules, textFaults } from '../rules.ts';
import { type ConnectorSecrets, encryptSecrets } from './connector-secrets.ts';
import { changedSettings, connectorKindNames, type Settings, warningsOf } from './connector-settings.ts';

/** A connector without its secrets. */
export interface ConnectorView extends Omit<ManagedConnector, 'secrets'> {
  /** What an operator should know, such as secrets that it lacks. */
  warnings: readonly string[];
}

const kind: ResourceKind<ManagedConnector, ConnectorView> = {
  noun: 'connector',
  table: 'connectors',
  key: 'name',
  find: findConnector,
  teamOf: () => null,
  view: ({ secrets: _secrets, ...connector }) => ({ ...connector, warnings: warningsOf(connector) }),
};

export interface NewConnector {
  name: string;
  kind: string;
  settings?: Settings | undefined;
  secrets?: ConnectorSecrets | undefined;
}

export async function createConnector(
  management: Management,
  { name, kind: kindName, settings = {}, secrets = {} }: NewConnector,
): Promise<ConnectorView> {
  requireNone([
    ...textFaults('name', name, rules.connectorName),
    ...choiceFaults('kind', kindName, connectorKindNames),
  ]);
  const stored = { name, kind: kindName as KindName, secrets: null };
  const keys = Object.keys(secrets).length === 0 ? undefined : await management.secrets();
  const change = {
    settings: changedSettings(kindName as KindName, settings),
    ...encryptSecrets(keys, stored, secrets),
  };
  return createResource(management, kind, {
    id: name,
    team: null,
    faults: [],
    insert: (trx) => insertConnector(trx, name, kindName, change),
  });
}

export async function getConnector({ knex }: Management, name: string): Promise<ConnectorView> {
  return kind.view(await getResource({ knex, team: undefined }, kind, name));
}

export interface ConnectorEdit {
  /** All of them; those that it lacks get their defaults. */
  settings?: Settings | undefined;
  /** Replaces those that it names; null removes one. */
  secrets?: ConnectorSecrets | undefined;
}

/** Running processes apply the change within seconds. */
export async function changeConnector(
  management: Management,
  name: string,
  { settings, secrets = {} }: ConnectorEdit,
  version?: string,
): Promise<ConnectorView> {
  const keys = Object.keys(secrets).length === 0 ? undefined : await management.secrets();
  return changeResource(management, kind, name, { action: 'change', version }, async (before, trx) => {
    const { kind: kindName } = before;
    if (!isKindName(kindName)) throw new ManagementError([faults.connectorKind(name, kindName)]);
    await updateConnector(trx, name, {
      settings: settings === undefined ? before.settings : changedSettings(kindName, settings),
      ...encryptSecrets(keys, { ...before, kind: kindName }, secrets),
    });
  });
}

/** Its messages wait until it is resumed or they expire. */
export async function pauseConnector(
  management: Management,
  name: string,
  { reason = 'paused by an operator' }: { reason?: string | undefined } = {},
  version?: string,
): Promise<ConnectorView> {
  requireNone(textFaults('reason', reason, rules.comment));
  return changeResource(management, kind, name, { action: 'pause', version }, (_before, trx) =>
    pauseStored(trx, name, reason),
  );
}

export async function resumeConnector(
  management: Management,
  name: string,
  version?: string,
): Promise<ConnectorView> {
  return changeResource(management, kind, name, { action: 'resume', version }, (_before, trx) =>
    resumeStored(trx, name),
  );
}

/** `abandon`: although it still waits for reports, whose messages then become uncertain. */
export async function removeConnector(
  management: Management,
  name: string,
  { abandon = false }: { abandon?: boolean | undefined } = {},
  version?: string,
): Promise<void> {
  await removeResource(management, kind, name, version, async (_before, trx) => {
    const uses = (await usesOfConnectors(trx)).get(name) ?? [];
    const awaited = abandon ? 0 : await countAwaited(trx, name);
    requireNone([
      ...(uses.length > 0 ? [faults.connectorInUse(name, uses)] : []),
      ...(awaited > 0 ? [faults.connectorHasMessages(name, awaited)] : []),
    ]);
    await deleteConnector(trx, name);
  });
}

/** A connector, its condition in all processes, and what goes through it, such as `sms/Safaricom`. */
export type ConnectorState = ConnectorView &
  Omit<SeenConnector, 'name' | 'kind'> & { uses: readonly string[] };

/** In the order of their names. */
export async function listConnectors({ knex }: Management): Promise<ConnectorState[]> {
  const uses = await usesOfConnectors(knex);
  const seen = new Map((await seenConnectors(knex)).map((one) => [one.name, one]));
  return (await listStored(knex)).flatMap((stored) => {
    const state = seen.get(stored.name);
    if (state === undefined) return [];
    return [{ ...kind.view(stored), ...state, uses: uses.get(stored.name) ?? [] }];
  });
}
