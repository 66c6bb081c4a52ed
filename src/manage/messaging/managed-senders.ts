/** Manages managed senders, which the operator owns, each for one category of SMS templates. */

import type { Knex } from 'knex';
import type { Category } from '../../model/plan.ts';
import { changeable, fixed } from '../../platform/db/rows.ts';
import { type Fault, faults } from '../../platform/errors/management.ts';
import { resource } from '../resource.ts';
import { nameFaults, senderFaults } from '../rules.ts';
import { managedSenderOwnershipFaults } from './sender-ownership.ts';

export const managedSenders = resource({
  noun: 'managed sender',
  table: 'managed_services',
  key: 'key',
  properties: {
    key: fixed<string>(),
    name: changeable<string>({ initially: (key) => key }),
    /** Its templates stay approved; requests with templates of another category are rejected. */
    category: changeable<Category>(),
    sender: changeable<string>(),
  },
  check: async ({ name, sender }, { trx, before }) => [
    ...nameFaults(name),
    ...senderFaults(sender),
    ...(await managedSenderOwnershipFaults(trx, sender, before?.sender)),
  ],
});

/** Whether a template of this category can use the managed sender. */
export async function managedSenderFaults(knex: Knex, key: string, category: Category): Promise<Fault[]> {
  const managed = await managedSenders.rows.find(knex, key);
  if (managed === undefined) return [faults.notFound('managed sender', key)];
  return managed.category === category ? [] : [faults.managedSenderCategory(key, managed.category)];
}
