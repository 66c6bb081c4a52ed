/** Manages what teams may send SMS as, and the senders of the platform, each for one category of SMS templates. */
import { isDeepStrictEqual } from 'node:util';
import type { Knex } from 'knex';
import type { Category } from '../../model/plan.ts';
import { changeable, fixed, kept, type Row } from '../../platform/db/rows.ts';
import { type Fault, faults, ManagementError, requireNone } from '../../platform/errors/management.ts';
import { errors } from '../../platform/errors.ts';
import { isRegion } from '../../products/phone/region.ts';
import type { SenderUse } from '../../products/sms/sender.ts';
import type { SenderKind } from '../../products/sms/sender-rules.ts';
import type { Management } from '../management.ts';
import { resource, teamFaults } from '../resource.ts';
import { nameFaults, senderFaults } from '../rules.ts';
import { ownershipFaults } from './sender-ownership.ts';
import { senderRuleFaults } from './sender-rules.ts';

/** As callers give it. */
type GivenUse = Omit<SenderUse, 'status'> & Partial<Pick<SenderUse, 'status'>>;

const properties = {
  id: fixed<string>(),
  /** Null: it is the platform's. */
  teamId: fixed<string | null>({ initially: null }),
  name: changeable<string>({ initially: (id) => id }),
  sender: changeable<string>(),
  kind: kept<SenderKind>(),
  /** Its templates stay approved; requests of another category are rejected. Null: any. */
  category: changeable<Category | null>({ initially: null }),
  /** What messages for the team begin with, where others have the same number. */
  keyword: changeable<string | null>({ initially: null }),
  uses: changeable<readonly GivenUse[]>({ initially: [{}] }),
  /** As they were when none waited for a review. */
  approvedUses: kept<readonly SenderUse[] | null>(),
  status: kept<SenderUse['status']>(),
  /** What the reviewer said. */
  reviewComment: kept<string | null>(),
  createdAt: kept<Date>(),
};

export const senders = resource({
  noun: 'sender',
  table: 'senders',
  key: 'id',
  owner: 'teamId',
  commons: true,
  properties,
  platform: ['keyword'],
  settle: (after, { before, management }) => {
    if (before !== undefined && management.team !== undefined)
      for (const name of ['sender', 'category'] as const)
        if (after[name] !== before[name]) throw errors.platformOnly(`set ${name}`);
    return reviewed(
      after.uses.map((use) => judged(use, before?.uses, management)),
      before,
    );
  },
  check: async (after, { trx, management, before }) => [
    ...nameFaults(after.name),
    ...senderFaults(after.sender),
    ...(after.teamId === null && after.category === null
      ? [faults.fieldRule('category', 'given for a sender of the platform')]
      : []),
    ...useFaults(after.uses),
    // Of a team that the caller does not see, nothing is said but that.
    ...(after.teamId !== null && (await teamFaults(trx, management, after.teamId)).length > 0
      ? []
      : [
          ...(await ownershipFaults(trx, after, { before, team: management.team })),
          ...(await senderRuleFaults(trx, after, before)),
        ]),
  ],
  view: (row) => ({ ...row, uses: row.uses as readonly SenderUse[] }),
});

type Stored = Row<typeof properties>;

/** A use with its status: users of the platform decide on it, and what others change waits for a review. */
function judged(
  { status, ...use }: GivenUse,
  before: readonly GivenUse[] | undefined,
  { team, sendersOpen }: Management,
): SenderUse {
  const former = before?.find(({ status: _status, ...one }) => isDeepStrictEqual(one, use))?.status;
  if (team === undefined) return { ...use, status: status ?? former ?? 'Approved' };
  const settled = former ?? (sendersOpen ? 'Approved' : 'Pending');
  if (status !== undefined && status !== settled) throw errors.platformOnly('approve senders');
  return { ...use, status: settled };
}

/** What follows from uses with their statuses. */
function reviewed(uses: readonly SenderUse[], before: Pick<Stored, 'approvedUses'> | undefined) {
  if (uses.some(({ status }) => status === 'Pending'))
    return { uses, approvedUses: before?.approvedUses ?? null, reviewComment: null };
  return { uses, approvedUses: uses.some(({ status }) => status === 'Approved') ? uses : null };
}

function useFaults(uses: readonly GivenUse[]): Fault[] {
  const places = uses.map(({ channel, country }) => `${channel ?? ''}/${country ?? ''}`);
  return [
    ...uses.flatMap(({ as }) => (as === undefined ? [] : senderFaults(as, 'as'))),
    ...(uses.some(({ channel, country }) => channel !== undefined && country !== undefined)
      ? [faults.fieldRule('uses', 'for a channel or a country, not both')]
      : []),
    ...(new Set(places).size < places.length
      ? [faults.fieldRule('uses', 'one for each channel and country')]
      : []),
    ...uses.flatMap(({ country }) =>
      country === undefined || isRegion(country) ? [] : [faults.fieldRule('country', 'one of ISO 3166-1')],
    ),
  ];
}

/** A reviewer's decision on the uses that wait for one. */
export async function reviewSender(
  management: Management,
  id: string,
  { decision, comment }: { decision: 'Approved' | 'Rejected'; comment?: string | undefined },
  version?: string,
) {
  const action = decision === 'Approved' ? 'approve' : 'reject';
  return senders.update(management, id, { action, version }, async (before, trx) => {
    if (before.status !== 'Pending') throw new ManagementError([faults.notPending('sender', id)]);
    const uses = before.uses.map(({ status = 'Pending', ...use }) => ({
      ...use,
      status: status === 'Pending' ? decision : status,
    }));
    requireNone(await senderRuleFaults(trx, { ...before, uses }, before));
    return { ...reviewed(uses, before), reviewComment: comment ?? null };
  });
}

/** Whether a template of this category can use the sender of the platform. */
export async function templateSenderFaults(knex: Knex, id: string, category: Category): Promise<Fault[]> {
  const found = await senders.rows.find(knex, id);
  if (found === undefined || found.teamId !== null || found.category === null)
    return [faults.notFound('sender', id)];
  return found.category === category ? [] : [faults.senderCategory(id, found.category)];
}
