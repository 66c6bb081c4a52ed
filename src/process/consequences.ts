/** What follows when messages reach a state: receipts of each product, and the effects of a bundle's end. */

import { releaseHeld } from '../delivery/held.ts';
import { chatAppReceipt } from '../products/chatapp/receipt.ts';
import { settleGrants } from '../products/data/grants-repository.ts';
import { dataReceipt } from '../products/data/receipt.ts';
import { smsReceipt } from '../products/sms/receipt.ts';
import type { OwnPoster } from '../receipts/insert-repository.ts';
import type { Consequences } from '../receipts/record.ts';
import type { ProcessContext } from './context.ts';

export function createConsequences(
  { config, queue, secrets }: Pick<ProcessContext, 'config' | 'queue' | 'secrets'>,
  poster?: OwnPoster,
): Consequences {
  return {
    receipt: { sms: smsReceipt, data: dataReceipt, chatapp: chatAppReceipt },
    ...(poster === undefined ? {} : { poster }),
    follow: {
      data: async (trx, reached) => {
        const refunds = await releaseHeld(trx, queue, reached, config.messageValiditySeconds);
        await settleGrants(trx, reached, secrets.hashPhone);
        return refunds;
      },
    },
  };
}
