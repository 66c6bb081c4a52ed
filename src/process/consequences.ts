/** What follows when messages reach a state: receipts of each product, and the effects of a bundle's end. */
import { chatAppReceipt } from '../chatapp/receipt.ts';
import { settleGrants } from '../data/grants-repository.ts';
import { dataReceipt } from '../data/receipt.ts';
import { releaseHeld } from '../delivery/held.ts';
import type { Consequences } from '../receipts/record.ts';
import { smsReceipt } from '../sms/receipt.ts';
import type { ProcessContext } from './context.ts';

export function createConsequences({
  config,
  queue,
  secrets,
}: Pick<ProcessContext, 'config' | 'queue' | 'secrets'>): Consequences {
  return {
    receipt: { sms: smsReceipt, data: dataReceipt, chatapp: chatAppReceipt },
    follow: {
      data: async (trx, reached) => {
        const refunds = await releaseHeld(trx, queue, reached, config.messageValiditySeconds);
        await settleGrants(trx, reached, secrets.hashPhone);
        return refunds;
      },
    },
  };
}
