/** Encrypts the secrets of connectors. */

import { connectorKinds, type KindName } from '../../connectors/runtime/kinds.ts';
import { checkSecretNames } from '../../connectors/runtime/settings.ts';
import { faults, ManagementError } from '../../platform/errors/management.ts';
import { placeOf, type Secrets } from '../../platform/secrets/secrets.ts';

/** Values by the names of the secrets; null removes one. */
export type ConnectorSecrets = Readonly<Record<string, string | null>>;

/** Of a connector; none if `stored` is null. */
export function decryptSecrets(
  keys: Secrets,
  name: string,
  stored: string | null,
): Readonly<Record<string, string>> {
  return stored === null ? {} : JSON.parse(keys.decrypt(stored, placeOf.connectorSecrets(name)));
}

/** The stored secrets with the new ones, encrypted with `keys`; undefined only if there are no new ones. */
export function encryptSecrets(
  keys: Secrets | undefined,
  stored: { name: string; kind: KindName; secrets: string | null; secretNames?: readonly string[] },
  given: ConnectorSecrets,
): { secrets: string | null; secretNames: readonly string[] } {
  const { name, kind, secrets: before, secretNames = [] } = stored;
  const names = Object.keys(given);
  if (names.length === 0 || keys === undefined) return { secrets: before, secretNames };
  try {
    checkSecretNames(connectorKinds[kind], names);
  } catch (error) {
    throw new ManagementError([faults.connectorSettings((error as Error).message)]);
  }
  const old = decryptSecrets(keys, name, before);
  const all = Object.entries({ ...old, ...given }).filter(([, value]) => value !== null);
  if (all.length === 0) return { secrets: null, secretNames: [] };
  return {
    secrets: keys.encrypt(JSON.stringify(Object.fromEntries(all)), placeOf.connectorSecrets(name)),
    secretNames: all.map(([secret]) => secret),
  };
}
