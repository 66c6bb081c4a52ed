/** Plans of SMS, and accounts that pay for them, for the tests of what is accepted. */
import { randomUUID } from 'node:crypto';
import type { Knex } from 'knex';
import type { Plan, PlannedMessage } from '../model/plan.ts';

/** Of one message, or of one for each of `messages`, which say how they differ. */
export function planOfSms({
  messages = [{}],
  key,
  ...more
}: Omit<Partial<Plan>, 'messages'> & {
  messages?: readonly Partial<PlannedMessage>[];
  /** Its Idempotency-Key. */
  key?: string | undefined;
} = {}): Plan {
  return {
    teamId: 't',
    clientId: 'c',
    operation: 'sendSms',
    resourceId: 's',
    sender: 'TARISHI',
    receiptRequest: {},
    category: 'MARKETING',
    validitySeconds: null,
    messages: messages.map((own, position) => ({ ...message, position, ...own })),
    accepted: { requestId: randomUUID(), units: {}, addresses: {} },
    idempotency: key === undefined ? undefined : { key, fingerprint: 'f' },
    ...more,
  };
}

const message: PlannedMessage = {
  product: 'sms',
  position: 0,
  channel: 'Safaricom',
  phone: '+254711000000',
  content: 'Habari',
  units: 1,
  accountId: null,
  held: false,
};

/** The id of an account of a new team. */
export async function addAccount(knex: Knex, balance: number): Promise<string> {
  const teamId = randomUUID();
  await knex('teams').insert({ id: teamId, name: teamId });
  const [row] = await knex('accounts').insert({ team_id: teamId, product: 'sms', balance }).returning('id');
  if (balance > 0)
    await knex('ledger_entries').insert({ account_id: row.id, units: balance, reason: 'TopUp' });
  return row.id;
}
