/** Lists receipts with their attempts and has them posted again, with the same webhook-id. */
import { faults, ManagementError, requireNone } from '../../errors/management.ts';
import {
  listReceipts as listStored,
  type ReceiptFilter,
  type ReceiptPage,
} from '../../receipts/log-repository.ts';
import {
  type Replay,
  replayReceipts as replayStored,
  resendReceipt as resendStored,
} from '../../receipts/resend-repository.ts';
import { audit } from '../audit.ts';
import type { Management } from '../management.ts';
import { teamFaults } from '../resource.ts';
import { teamOfReceipt, teamOfRequest } from './lookup-repository.ts';

const mostReceipts = 100;

/** The newest first; continue with `after`, the `next` of the page. */
export async function listReceipts(
  management: Management,
  { team, ...filter }: Omit<ReceiptFilter, 'limit'> & { team: string; limit?: number | undefined },
): Promise<ReceiptPage> {
  requireNone(await teamFaults(management.knex, management, team));
  const { requestId } = filter;
  if (requestId !== undefined && (await teamOfRequest(management.knex, requestId)) !== team)
    throw new ManagementError([faults.notFound('request', requestId)]);
  const limit = Math.min(filter.limit ?? mostReceipts, mostReceipts);
  return listStored(management.knex, team, { ...filter, limit });
}

/** One that is being posted stays as it is; one that waits is due now. */
export async function resendReceipt(management: Management, id: string): Promise<void> {
  await management.knex.transaction(async (trx) => {
    const team = await teamOfReceipt(trx, id);
    if (team === undefined || (management.team !== undefined && management.team !== team))
      throw new ManagementError([faults.notFound('receipt', id)]);
    await resendStored(trx, team, id);
    await audit(trx, management, { action: 'resend', noun: 'receipt', id, team, before: null, after: null });
  });
}

/** Returns how many receipts are posted again. */
export async function replayReceipts(
  management: Management,
  { team, since, which }: Replay & { team: string },
): Promise<number> {
  requireNone([
    ...(await teamFaults(management.knex, management, team)),
    ...(Number.isNaN(since.getTime()) ? [faults.fieldRule('since', 'an instant')] : []),
  ]);
  // In parts of its own, so that no receipt is locked for long.
  const receipts = await replayStored(management.knex, team, { since, which });
  await management.knex.transaction((trx) =>
    audit(trx, management, {
      action: 'replay',
      noun: 'receipt',
      id: which,
      team,
      before: null,
      after: { since: since.toISOString(), receipts },
    }),
  );
  return receipts;
}
