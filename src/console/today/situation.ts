/** What the API says of everything that may need somebody: for Today, and for the counters of the navigation. */
import type { ManagementOperationId } from '../../../handlers/management/operation.ts';
import type { PageContext } from '../page.ts';
import { mostAsked, mostLookedAt, type Situation } from './needs.ts';

export const situationOperations: readonly ManagementOperationId[] = [
  'listEndpoints',
  'listAccountsNearEmpty',
  'listCapsNear',
  'listGuardedPlaces',
  'listSenders',
  'listConnectors',
  'listQuarantinedItems',
  'listSmsTemplates',
  'listChatAppTemplates',
];

export async function situationOf({ api, may }: Pick<PageContext, 'api' | 'may'>): Promise<Situation> {
  const ifMay = async <Item>(
    operation: ManagementOperationId,
    ask: () => Promise<{ body: { items: Item[] } }>,
  ) => (may(operation) ? (await ask()).body.items : []);
  const pending = { approvalStatus: 'PENDING' as const, limit: mostAsked };
  const [
    connectors,
    endpoints,
    accounts,
    caps,
    places,
    quarantined,
    senders,
    smsTemplates,
    chatAppTemplates,
  ] = await Promise.all([
    ifMay('listConnectors', () => api.call('listConnectors')),
    ifMay('listEndpoints', () => api.call('listEndpoints', { query: { limit: mostLookedAt } })),
    ifMay('listAccountsNearEmpty', () => api.call('listAccountsNearEmpty', { query: { limit: mostAsked } })),
    ifMay('listCapsNear', () => api.call('listCapsNear', { query: { limit: mostAsked } })),
    ifMay('listGuardedPlaces', () => api.call('listGuardedPlaces', { query: { limit: mostAsked } })),
    ifMay('listQuarantinedItems', () => api.call('listQuarantinedItems', { query: { limit: mostLookedAt } })),
    ifMay('reviewSender', () => api.call('listSenders', { query: { status: 'Pending', limit: mostAsked } })),
    ifMay('reviewSmsTemplate', () => api.call('listSmsTemplates', { query: pending })),
    ifMay('reviewChatAppTemplate', () => api.call('listChatAppTemplates', { query: pending })),
  ]);
  return {
    connectors,
    endpoints,
    accounts,
    caps,
    places,
    quarantined,
    senders,
    smsTemplates,
    chatAppTemplates,
  };
}
