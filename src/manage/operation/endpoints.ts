/** Lists callback endpoints that fail, and has those that work again tried at once. */
import { faults, ManagementError, requireNone } from '../../platform/errors/management.ts';
import type { Position, Slice } from '../../read/page.ts';
import {
  type Endpoint,
  findEndpoint,
  hurryReceipts,
  listFailingEndpoints,
  releaseEndpoint as releaseStored,
} from '../../receipts/endpoint-repository.ts';
import { audit } from '../audit.ts';
import type { Management } from '../management.ts';
import { listedTeam, teamFaults } from '../resource.ts';

const mostEndpoints = 100;

/** By team. */
export async function listEndpoints(
  management: Management,
  wanted: string | undefined,
  { after, limit = mostEndpoints }: { after?: Position | undefined; limit?: number | undefined } = {},
): Promise<Slice<Endpoint>> {
  const team = await listedTeam(management, wanted);
  const place = after && { teamId: after[0] ?? '', originKey: after[1] ?? '' };
  const { endpoints, next } = await listFailingEndpoints(management.knex, team, { after: place, limit });
  return { items: endpoints, end: next && [next.teamId, next.originKey] };
}

/** Throws a ManagementError if no receipt was made for it, or it does not exist for the caller. */
export async function showEndpoint(management: Management, team: string, key: string): Promise<Endpoint> {
  const { knex, team: own } = management;
  const found = own === undefined || own === team ? await findEndpoint(knex, team, key) : undefined;
  if (found === undefined) throw new ManagementError([faults.notFound('callback endpoint', key)]);
  return found;
}

/** Returns how many receipts that waited for their next attempt are posted now. */
export async function releaseEndpoint(
  management: Management,
  { team, origin }: { team: string; origin: string },
): Promise<number> {
  requireNone(await teamFaults(management.knex, management, team));
  await management.knex.transaction(async (trx) => {
    const before = await releaseStored(trx, team, origin);
    if (before === undefined) throw new ManagementError([faults.notFound('callback endpoint', origin)]);
    await audit(trx, management, {
      action: 'release',
      noun: 'callback endpoint',
      id: origin,
      team,
      before: { failures: before.failures, parkedUntil: before.parkedUntil },
      after: { failures: 0, parkedUntil: null },
    });
  });
  return hurryReceipts(management.knex, team, origin);
}
