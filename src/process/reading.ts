/** Builds the lists that clients read. */
import type { HandlerDependencies } from '../../handlers/operations.ts';
import { type CountryCode, createPhoneParser } from '../phone/parse.ts';
import { readBalances } from '../reading/balance-repository.ts';
import { createList } from '../reading/lists.ts';
import { readMessages } from '../reading/message-repository.ts';
import { createSearchCheck } from '../reading/message-search.ts';
import { getRequest, readRequestMessages } from '../reading/request-repository.ts';
import { readCampaigns, readServices, readTemplates } from '../reading/resource-repository.ts';
import type { Foundation } from './dependencies.ts';

export type Reading = Pick<
  HandlerDependencies,
  | 'readMessages'
  | 'checkMessageSearch'
  | 'getRequest'
  | 'readRequestMessages'
  | 'readBalances'
  | 'readServices'
  | 'readTemplates'
  | 'readCampaigns'
>;

export function createReading({ config, clock, database: { knex }, secrets }: Foundation): Reading {
  return {
    readMessages: createList(secrets, 'messages', readMessages(knex)),
    checkMessageSearch: createSearchCheck(createPhoneParser(config.defaultRegion as CountryCode), clock),
    getRequest: getRequest(knex),
    readRequestMessages: createList(secrets, 'request messages', readRequestMessages(knex)),
    readBalances: createList(secrets, 'balances', readBalances(knex)),
    readServices: createList(secrets, 'services', readServices(knex)),
    readTemplates: createList(secrets, 'templates', readTemplates(knex)),
    readCampaigns: createList(secrets, 'campaigns', readCampaigns(knex)),
  };
}
