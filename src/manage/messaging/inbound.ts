/** Where a service's messages of phones are posted, and whose secrets sign them. */
import type { Knex } from 'knex';
import { changeable } from '../../platform/db/rows.ts';
import { type Fault, faults } from '../../platform/errors/management.ts';
import type { ServiceWord } from '../../products/consent/words.ts';
import { originOf } from '../../receipts/callback/callback-url.ts';
import { clients } from '../access/clients.ts';

export const inboundProperties = {
  /** Null: nowhere; they are only listed. */
  inboundCallbackUrl: changeable<string | null>({ initially: null }),
  /** Null: those of the team's oldest client that is enabled. */
  inboundClientId: changeable<string | null>({ initially: null }),
  /** Words such as STOP that only the service has. */
  inboundKeywords: changeable<readonly ServiceWord[]>({ initially: [] }),
};

interface Inbound {
  teamId: string;
  inboundCallbackUrl: string | null;
  inboundClientId: string | null;
}

export async function inboundFaults(
  knex: Knex,
  { teamId, inboundCallbackUrl: url, inboundClientId: clientId }: Inbound,
): Promise<Fault[]> {
  const client = clientId === null ? undefined : await clients.rows.find(knex, clientId);
  return [
    ...(url === null || originOf(url) !== undefined
      ? []
      : [faults.fieldRule('inboundCallbackUrl', 'an absolute http or https URL')]),
    ...(clientId === null || client?.teamId === teamId ? [] : [faults.notFound('client', clientId)]),
  ];
}
