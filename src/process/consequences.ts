/** What follows when messages reach a state: receipts of each product, and the effects of a bundle's end. */

import { releaseHeld, settleFallbacks } from '../delivery/held.ts';
import { learnOptOuts } from '../delivery/reports/opt-out-repository.ts';
import type { ReachedState } from '../model/states.ts';
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
  const learn = async (trx: Parameters<typeof learnOptOuts>[0], reached: readonly ReachedState[]) => {
    await learnOptOuts(trx, reached, secrets.hashPhone);
    return [];
  };
  return {
    receipt: { sms: smsReceipt, data: dataReceipt, chatapp: chatAppReceipt },
    ...(poster === undefined ? {} : { poster }),
    settleFallbacks: (trx, reached) => settleFallbacks(trx, queue, reached, config.messageValiditySeconds),
    follow: {
      sms: learn,
      chatapp: learn,
      data: async (trx, reached) => {
        const refunds = await releaseHeld(trx, queue, reached, config.messageValiditySeconds);
        await settleGrants(trx, reached, secrets.hashPhone);
        return refunds;
      },
    },
  };
}
