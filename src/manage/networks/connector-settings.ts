/** Checks the settings of connectors, and says what operators should know about them. */

import { connectorKinds, isKindName, type KindName } from '../../connectors/runtime/kinds.ts';
import { asWritten, checkSettings } from '../../connectors/runtime/settings.ts';
import { faults, ManagementError } from '../../platform/errors/management.ts';
import { own } from '../../platform/text/own.ts';

export type Settings = Readonly<Record<string, unknown>>;

/** The settings to store: only explicit ones, so that defaults can change. Throws a ManagementError. */
export function changedSettings(kind: KindName, written: Settings): Settings {
  try {
    return asWritten(checkSettings(connectorKinds[kind], written) as Settings, written);
  } catch (error) {
    throw new ManagementError([faults.connectorSettings((error as Error).message)]);
  }
}

/** The kind whose presets have the one that settings name. Throws a ManagementError. */
export function kindOfPreset({ preset }: Settings): KindName {
  const found = Object.entries(connectorKinds).find(
    ([, { presets }]) => typeof preset === 'string' && own(presets, preset) !== undefined,
  );
  if (found !== undefined) return found[0] as KindName;
  throw new ManagementError([
    faults.connectorSettings(
      preset === undefined ? 'either a kind or a preset is required' : `there is no preset "${preset}"`,
    ),
  ]);
}

/**
 * Whether secrets that were given for the settings before would now go elsewhere. Nobody knows where settings lead
 * that are not valid any more.
 */
export function leadElsewhere(kind: KindName, before: Settings, after: Settings): boolean {
  const { address } = connectorKinds[kind];
  if (address === undefined) return false;
  const addressOf = (settings: Settings) => address(checkSettings(connectorKinds[kind], settings));
  try {
    return addressOf(before) !== addressOf(after);
  } catch {
    return true;
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
  const { secrets } = connectorKinds[kind].documented;
  const missing = secrets.filter(({ name, required }) => required && !secretNames.includes(name));
  return [
    ...missing.map(({ name }) => `needs the secret ${name}, which is not set`),
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
