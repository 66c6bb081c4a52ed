/** Tests a connector: whether its network would take messages. None is sent. */
import { connectorKinds, isKindName } from '../../connectors/runtime/kinds.ts';
import { checkSettings } from '../../connectors/runtime/settings.ts';
import { seenConnectors } from '../../connectors/runtime/state-repository.ts';
import { faults, ManagementError } from '../../platform/errors/management.ts';
import { audit } from '../audit.ts';
import type { Management } from '../management.ts';
import { decryptSecrets } from './connector-secrets.ts';
import { connectors, type StoredConnector } from './connectors.ts';

export interface TestedConnector {
  ok: boolean;
  /** What is wrong, in plain words; null if nothing is. */
  problem: string | null;
}

/** Throws a ManagementError if the connector does not exist. */
export async function testConnector(management: Management, name: string): Promise<TestedConnector> {
  const stored = await connectors.rows.find(management.knex, name);
  if (stored === undefined) throw new ManagementError([faults.notFound('connector', name)]);
  const problem = (await problemOf(management, stored)) ?? null;
  const tested = { ok: problem === null, problem };
  await management.knex.transaction((trx) =>
    audit(trx, management, {
      action: 'test',
      noun: 'connector',
      id: name,
      team: null,
      before: null,
      after: tested,
    }),
  );
  return tested;
}

async function problemOf(
  management: Management,
  { name, kind, settings, secretNames, secrets }: StoredConnector,
): Promise<string | undefined> {
  if (!isKindName(kind)) return `there is no kind "${kind}"`;
  const { test, documented } = connectorKinds[kind];
  const missing = documented.secrets.find(({ name, required }) => required && !secretNames.includes(name));
  if (missing !== undefined) return `the secret ${missing.name} is not set`;
  // Networks that allow one bind would refuse another.
  if (test === undefined || (await isBound(management, name))) return undefined;
  const opened = decryptSecrets(await management.secrets(), name, secrets);
  try {
    return await test(checkSettings(connectorKinds[kind], settings), opened, management.clock);
  } catch (error) {
    return (error as Error).message;
  }
}

async function isBound({ knex }: Management, name: string): Promise<boolean> {
  const seen = (await seenConnectors(knex)).find((one) => one.name === name);
  return (seen?.bound ?? 0) > 0;
}
