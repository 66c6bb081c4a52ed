/** Lists items in quarantine and has them retried. */
import { faults, ManagementError } from '../../platform/errors/management.ts';
import {
  listQuarantined,
  type QuarantinedItem,
  requestRetry,
} from '../../platform/isolation/quarantine-repository.ts';
import { audit } from '../audit.ts';
import type { Management, Page } from '../management.ts';

/** The oldest first. */
export async function listQuarantine({ knex }: Management, page: Page = {}): Promise<QuarantinedItem[]> {
  return listQuarantined(knex, page);
}

/** Has a worker retry one item, or all; one that fails again stays listed. Returns them. */
export async function retryQuarantined(
  management: Management,
  id: string | undefined,
): Promise<QuarantinedItem[]> {
  return management.knex.transaction(async (trx) => {
    const items = await requestRetry(trx, id);
    if (id !== undefined && items.length === 0)
      throw new ManagementError([faults.notFound('quarantined item', id)]);
    await audit(trx, management, {
      action: 'retry',
      noun: 'quarantined item',
      id: id ?? 'all',
      team: null,
      before: null,
      after: { items: items.length },
    });
    return items;
  });
}
