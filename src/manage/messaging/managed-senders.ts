/** Manages managed senders, which the operator owns, each for one category of SMS templates. */
import type { Knex } from 'knex';
import { type Fault, faults, requireNone } from '../../errors/management.ts';
import {
  findManagedService,
  insertManagedService,
  listManagedServices,
  updateManagedService,
} from '../../sms/template-repository.ts';
import { type ManagedService, type TemplateCategory, templateCategories } from '../../templates/template.ts';
import type { Management, Page } from '../management.ts';
import { changeResource, createResource, getResource, type ResourceKind } from '../resource.ts';
import { choiceFaults, rules, textFaults } from '../rules.ts';

const kind: ResourceKind<ManagedService> = {
  noun: 'managed sender',
  table: 'managed_services',
  key: 'key',
  find: findManagedService,
  teamOf: () => null,
  view: (sender) => sender,
};

/** `name`: the key if omitted. */
export async function createManagedSender(
  management: Management,
  { key, category, sender, name = key }: Omit<ManagedService, 'name'> & { name?: string | undefined },
): Promise<ManagedService> {
  return createResource(management, kind, {
    id: key,
    team: null,
    faults: editFaults({ name, category, sender }),
    insert: (trx) => insertManagedService(trx, { key, name, category, sender }),
  });
}

/** Managed senders belong to the platform; every team may use them, so every caller may read them. */
export async function getManagedSender({ knex }: Management, key: string): Promise<ManagedService> {
  return getResource({ knex, team: undefined }, kind, key);
}

export type ManagedSenderEdit = {
  [Name in 'name' | 'category' | 'sender']?: ManagedService[Name] | undefined;
};

/** Its templates stay approved; requests with templates of another category are rejected. */
export async function changeManagedSender(
  management: Management,
  key: string,
  edit: ManagedSenderEdit,
  version?: string,
): Promise<ManagedService> {
  requireNone(editFaults(edit));
  const { name, category, sender } = edit;
  return changeResource(management, kind, key, { action: 'change', version }, (_before, trx) =>
    updateManagedService(trx, key, { name, category, sender }),
  );
}

export async function listManagedSenders(
  { knex }: Management,
  { after, limit }: Page = {},
): Promise<ManagedService[]> {
  return listManagedServices(knex, { after, limit });
}

/** Whether a template of this category can use the managed sender. */
export async function managedSenderFaults(
  knex: Knex,
  key: string,
  category: TemplateCategory,
): Promise<Fault[]> {
  const managed = await findManagedService(knex, key);
  if (managed === undefined) return [faults.notFound('managed sender', key)];
  return managed.category === category ? [] : [faults.managedSenderCategory(key, managed.category)];
}

function editFaults({ name, category, sender }: ManagedSenderEdit): Fault[] {
  return [
    ...textFaults('name', name, rules.name),
    ...choiceFaults('category', category, templateCategories),
    ...textFaults('sender', sender, rules.sender),
  ];
}
