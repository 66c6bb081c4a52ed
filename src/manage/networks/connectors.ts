/** Manages connectors: their settings, secrets and condition. */
import { isKindName, type KindName } from '../../connectors/runtime/kinds.ts';
import {
  countAwaited,
  deleteStates,
  pauseConnector as pauseStored,
  resumeConnector as resumeStored,
  servicesNaming,
  usesOfConnectors,
} from '../../connectors/runtime/management-repository.ts';
import { type SeenConnector, seenConnectors } from '../../connectors/runtime/state-repository.ts';
import { products } from '../../model/products.ts';
import { type Route, readWay, stepsOf } from '../../model/route.ts';
import { fixed, kept, type Row } from '../../platform/db/rows.ts';
import { faults, ManagementError, requireNone } from '../../platform/errors/management.ts';
import { own } from '../../platform/text/own.ts';
import { groupOfLane } from '../../queue/job-documents.ts';
import { type RoutedLane, readLanes, readWaiting } from '../../queue/waiting-repository.ts';
import type { Management } from '../management.ts';
import { resource } from '../resource.ts';
import { type ConnectorSecrets, encryptSecrets } from './connector-secrets.ts';
import {
  changedSettings,
  kindOfPreset,
  leadElsewhere,
  type Settings,
  warningsOf,
} from './connector-settings.ts';
import { routes } from './routes.ts';

const isPaused = 'paused and coalesce(paused_until > service_now(), true)';

export const connectors = resource({
  noun: 'connector',
  table: 'connectors',
  key: 'name',
  properties: {
    name: fixed<string>(),
    kind: fixed<string>(),
    settings: kept<Settings>(),
    secretNames: kept<readonly string[]>(),
    /** Encrypted JSON; null: none. */
    secrets: kept<string | null>(),
    /** Null: not paused. */
    pausedReason: kept<string | null>({
      computed: `(case when ${isPaused} then coalesce(paused_reason, '') end)`,
    }),
    /** Null: not paused, or until an operator resumes it. */
    pausedUntil: kept<Date | null>({ computed: `(case when ${isPaused} then paused_until end)` }),
    /** What its network said of the account, as far as it still holds. */
    notices: kept<readonly string[]>({
      computed: `(select coalesce(jsonb_agg(n.value ->> 'says' order by n.key), '[]') from jsonb_each(notices) as n
        where coalesce((n.value ->> 'until')::timestamptz > service_now(), true))`,
    }),
    /** Running processes open it anew when it grows. */
    version: kept<number>({ onChange: 'version + 1' }),
    updatedAt: kept<Date>({ onChange: 'service_now()' }),
  },
  view: ({ secrets: _secrets, ...connector }) => ({
    ...connector,
    /** What an operator should know, such as secrets that it lacks. */
    warnings: warningsOf(connector),
  }),
});

export type StoredConnector = Row<(typeof connectors)['properties']>;
/** A connector without its secrets. */
export type ConnectorView = ReturnType<(typeof connectors)['view']>;

export interface NewConnector {
  name: string;
  /** Absent: that of the preset. */
  kind?: KindName | undefined;
  settings?: Settings | undefined;
  secrets?: ConnectorSecrets | undefined;
}

export async function createConnector(
  management: Management,
  { name, settings = {}, secrets = {}, kind = kindOfPreset(settings) }: NewConnector,
): Promise<ConnectorView> {
  const stored = { name, kind, secrets: null };
  const keys = Object.keys(secrets).length === 0 ? undefined : await management.secrets();
  return connectors.create(
    management,
    { name, kind },
    { settings: changedSettings(kind, settings), ...encryptSecrets(keys, stored, secrets) },
  );
}

export interface ConnectorEdit {
  /** All of them; those that it lacks get their defaults. */
  settings?: Settings | undefined;
  /** Replaces those that it names; null removes one. With an address of another network all of them are required. */
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
  return connectors.update(management, name, { action: 'change', version }, (before) => {
    const { kind } = before;
    if (!isKindName(kind)) throw new ManagementError([faults.connectorKind(name, kind)]);
    const changed = settings === undefined ? before.settings : changedSettings(kind, settings);
    const missing = before.secretNames.filter((secret) => own(secrets, secret) === undefined);
    if (missing.length > 0 && leadElsewhere(kind, before.settings, changed))
      throw new ManagementError([faults.secretsOfAddress(missing)]);
    return { settings: changed, ...encryptSecrets(keys, { ...before, kind }, secrets) };
  });
}

/** Its messages wait until it is resumed or they expire. */
export async function pauseConnector(
  management: Management,
  name: string,
  { reason = 'paused by an operator' }: { reason?: string | undefined } = {},
  version?: string,
): Promise<ConnectorView> {
  return connectors.update(management, name, { action: 'pause', version }, async (_before, trx) => {
    await pauseStored(trx, name, reason);
    return {};
  });
}

export async function resumeConnector(
  management: Management,
  name: string,
  version?: string,
): Promise<ConnectorView> {
  return connectors.update(management, name, { action: 'resume', version }, async (_before, trx) => {
    await resumeStored(trx, name);
    return {};
  });
}

/** `abandon`: although it still waits for reports, whose messages then become uncertain. */
export async function removeConnector(
  management: Management,
  name: string,
  { abandon = false }: { abandon?: boolean | undefined } = {},
  version?: string,
): Promise<void> {
  await connectors.remove(management, name, version, async (trx) => {
    const uses = [...((await usesOfConnectors(trx)).get(name) ?? []), ...(await servicesNaming(trx, name))];
    const awaited = abandon ? 0 : await countAwaited(trx, name);
    requireNone([
      ...(uses.length > 0 ? [faults.connectorInUse(name, uses)] : []),
      ...(awaited > 0 ? [faults.connectorHasMessages(name, awaited)] : []),
    ]);
    await deleteStates(trx, name);
  });
}

/** A connector, its condition in all processes, what goes through it, such as `Sms/Safaricom`, and what waits for it. */
export type ConnectorState = ConnectorView &
  Omit<SeenConnector, 'name' | 'kind'> & {
    uses: readonly string[];
    /** Messages, counted up to 10,000. */
    waiting: number;
    /** When the oldest of them was accepted; null: none waits. */
    oldestWaitingAt: Date | null;
  };

/** In the order of their names. */
export async function listConnectors({ knex }: Management): Promise<ConnectorState[]> {
  const uses = await usesOfConnectors(knex);
  const lanes = routedLanes(await readLanes(knex), uses, await routes.rows.list(knex));
  const waiting = new Map((await readWaiting(knex, lanes)).map((one) => [one.connector, one]));
  const seen = new Map((await seenConnectors(knex)).map((one) => [one.name, one]));
  return (await connectors.rows.list(knex)).flatMap((stored) => {
    const state = seen.get(stored.name);
    if (state === undefined) return [];
    const { waiting: messages = 0, oldestWaitingAt = null } = waiting.get(stored.name) ?? {};
    return [
      {
        ...connectors.view(stored),
        ...state,
        uses: uses.get(stored.name) ?? [],
        waiting: messages,
        oldestWaitingAt,
      },
    ];
  });
}

/** Of each lane the connectors that its messages may go through: those of its route, or all of its channel. */
function routedLanes(
  lanes: readonly string[],
  uses: ReadonlyMap<string, readonly string[]>,
  all: readonly Pick<Route, 'name' | 'via'>[],
): RoutedLane[] {
  return lanes.flatMap((lane) => {
    const group = groupOfLane(lane);
    if (group === undefined) return [];
    const { route: name, tried = [] } = group.way === undefined ? {} : readWay(group.way);
    const route = all.find((one) => one.name === name);
    const use = `${products[group.product].name}/${group.channel}`;
    const found =
      route === undefined
        ? [...uses].flatMap(([connector, used]) => (used.includes(use) ? [connector] : []))
        : stepsOf(route.via, tried)
            .flat()
            .map(({ connector }) => connector);
    return found.map((connector) => ({ connector, lane }));
  });
}
