/** Checks the settings of connectors, and says what operators should know about them. */
import { connectorKinds, isKindName, type KindName } from '../../connectors/runtime/kinds.ts';
import { checkSettings } from '../../connectors/runtime/settings.ts';
import { faults, ManagementError } from '../../errors/management.ts';

export type Settings = Readonly<Record<string, unknown>>;

export const connectorKindNames = Object.keys(connectorKinds);

/** The settings to store: only explicit ones, so that defaults can change. Throws a ManagementError. */
export function changedSettings(kind: KindName, written: Settings): Settings {
  try {
    const checked = checkSettings(connectorKinds[kind], written) as Settings;
    return Object.fromEntries(Object.keys(written).map((name) => [name, checked[name]]));
  } catch (error) {
    throw new ManagementError([faults.connectorSettings((error as Error).message)]);
  }
}

/** Sentences; none of invalid settings, which make the connector faulty. */
export function warningsOf({
  kind,
  settings,
  secretNames,
}: {
  kind: string;
  settings: Settings;
  secretNames: readonly string[];
}): string[] {
  if (!isKindName(kind)) return [];
  const { requiredSecrets } = connectorKinds[kind];
  const missing = requiredSecrets.filter((name) => !secretNames.includes(name));
  return [
    ...missing.map((name) => `needs the secret ${name}, which is not set`),
    ...settingsWarning(kind, settings),
  ];
}

function settingsWarning(kind: KindName, settings: Settings): string[] {
  try {
    const warning = connectorKinds[kind].warning?.(checkSettings(connectorKinds[kind], settings));
    return warning === undefined ? [] : [warning];
  } catch {
    return [];
  }
}
