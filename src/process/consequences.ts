/** What follows when messages reach a state: receipts of each product, and the effects of a bundle's end. */

import { releaseHeld } from '../delivery/held.ts';
import { chatAppReceipt } from '../products/chatapp/receipt.ts';
import { settleGrants } from '../products/data/grants-repository.ts';
import { dataReceipt } from '../products/data/receipt.ts';
import { smsReceipt } from '../products/sms/receipt.ts';
import type { Consequences } from '../receipts/record.ts';
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
