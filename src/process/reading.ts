/** Builds the lists that clients read. */
import type { HandlerDependencies } from '../../handlers/operations.ts';
import { readBalances } from '../reading/balance-repository.ts';
import { createList } from '../reading/lists.ts';
import { readCampaigns, readServices, readTemplates } from '../reading/resource-repository.ts';
import type { Foundation } from './dependencies.ts';

export type Reading = Pick<
  HandlerDependencies,
  'readBalances' | 'readServices' | 'readTemplates' | 'readCampaigns'
>;

export function createReading({ database: { knex }, secrets }: Foundation): Reading {
  return {
    readBalances: createList(secrets, 'balances', readBalances(knex)),
    readServices: createList(secrets, 'services', readServices(knex)),
    readTemplates: createList(secrets, 'templates', readTemplates(knex)),
    readCampaigns: createList(secrets, 'campaigns', readCampaigns(knex)),
  };
}
