/** Encrypts the secrets of connectors. */
import { placeOf } from '../../clients/secrets.ts';
import { connectorKinds, type KindName } from '../../connectors/runtime/kinds.ts';
import { checkSecretNames } from '../../connectors/runtime/settings.ts';
import { faults, ManagementError } from '../../errors/management.ts';
import type { Management } from '../management.ts';

/** Values by the names of the secrets; null removes one. */
export type ConnectorSecrets = Readonly<Record<string, string | null>>;

/** The stored secrets with the new ones, encrypted. Needs the key only if there are new ones. */
export async function encryptSecrets(
  management: Pick<Management, 'secrets'>,
  stored: { name: string; kind: KindName; secrets: string | null; secretNames?: readonly string[] },
  given: ConnectorSecrets,
): Promise<{ secrets: string | null; secretNames: readonly string[] }> {
  const { name, kind, secrets: before, secretNames = [] } = stored;
  const names = Object.keys(given);
  if (names.length === 0) return { secrets: before, secretNames };
  try {
    checkSecretNames(connectorKinds[kind], names);
  } catch (error) {
    throw new ManagementError([faults.connectorSettings((error as Error).message)]);
  }
  const secrets = await management.secrets();
  const old = before === null ? {} : JSON.parse(secrets.decrypt(before, placeOf.connectorSecrets(name)));
  const all = Object.entries({ ...old, ...given }).filter(([, value]) => value !== null);
  if (all.length === 0) return { secrets: null, secretNames: [] };
  return {
    secrets: secrets.encrypt(JSON.stringify(Object.fromEntries(all)), placeOf.connectorSecrets(name)),
    secretNames: all.map(([secret]) => secret),
  };
}
