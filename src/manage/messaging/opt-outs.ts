/** Adds and removes opt-outs for clients and operators, with an entry in the audit log. */
import { products } from '../../model/products.ts';
import type { OptOutScope, OptOutSource, OptOutTarget } from '../../products/consent/opt-out.ts';
import * as repository from '../../products/consent/opt-out-repository.ts';
import { withMaskedPhones } from '../access/masking.ts';
import { audit } from '../audit.ts';
import type { Management } from '../management.ts';

/** Of numbers in E.164 form. */
export interface OptOutsChange extends OptOutScope {
  phones: readonly string[];
}

/** Numbers that were added or removed, and those that were so already. */
export interface OptOutsChanged {
  changed: number;
  unchanged: number;
}

type By = Pick<Management, 'knex' | 'clock' | 'actor'> & { hashPhone: repository.HashPhone };

/** The list says itself what clients added; the audit log has what operators add, by the hashes of the numbers. */
export async function addOptOuts(
  { hashPhone, ...by }: By,
  change: OptOutsChange & { target: OptOutTarget; source: OptOutSource },
): Promise<OptOutsChanged> {
  const { phones, product, teamId: team, serviceId, target, source } = change;
  return by.knex.transaction(async (trx) => {
    const added = await repository.addOptOuts(trx, phones, change, hashPhone);
    if (source === 'Operator')
      await audit(trx, by, {
        action: 'create',
        noun: 'opt-out',
        id: nameOf(phones, hashPhone),
        team,
        before: null,
        after: { product: products[product].name, serviceId, target, source, phones: added },
      });
    return changedOf(phones, added);
  });
}

/** `consent`: how and when the people agreed. `serviceId` null: for the team and each of its services. */
export async function removeOptOuts(
  { hashPhone, ...by }: By,
  { phones, consent, ...scope }: OptOutsChange & { consent: string },
): Promise<OptOutsChanged> {
  return by.knex.transaction(async (trx) => {
    const entries = await repository.removeOptOuts(trx, phones, scope, hashPhone);
    await audit(trx, by, {
      action: 'remove',
      noun: 'opt-out',
      id: nameOf(phones, hashPhone),
      team: scope.teamId,
      before: { product: products[scope.product].name, entries },
      after: { consent: withMaskedPhones(consent) },
    });
    return changedOf(
      phones,
      entries.map(({ phone }) => phone),
    );
  });
}

/** The numbers themselves must not be stored. */
function nameOf(phones: readonly string[], hashPhone: repository.HashPhone): string {
  const [first, ...others] = phones;
  return first !== undefined && others.length === 0 ? hashPhone(first) : `${phones.length} phone numbers`;
}

function changedOf(phones: readonly string[], hashes: readonly string[]): OptOutsChanged {
  const changed = new Set(hashes).size;
  return { changed, unchanged: new Set(phones).size - changed };
}
