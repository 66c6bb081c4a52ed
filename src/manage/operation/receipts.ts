/** Lists receipts with their attempts and has them posted again, with the same webhook-id. */
import type { Knex } from 'knex';
import { type Fault, faults, ManagementError, requireNone } from '../../platform/errors/management.ts';
import { messageIdOf } from '../../read/messages/message-id.ts';
import { searchMessages } from '../../read/messages/message-repository.ts';
import { findRequest } from '../../read/messages/request-repository.ts';
import type { Position, Slice } from '../../read/page.ts';
import { type Receipt, receiptOf } from '../../read/receipt.ts';
import { isUuid, uuidsFrom } from '../../read/uuid.ts';
import { originOf } from '../../receipts/callback/callback-url.ts';
import {
  findReceipt,
  findReceiptsFrom,
  listReceipts as listStored,
  type ReceiptState,
  type ReceiptSubject,
  type StoredReceipt,
} from '../../receipts/log-repository.ts';
import {
  countReplay,
  type Replay,
  type ReplayCount,
  type Replayed,
  replayReceipts as replayStored,
  resendReceipt as resendStored,
} from '../../receipts/resend-repository.ts';
import { audit } from '../audit.ts';
import type { Management } from '../management.ts';
import { listedTeam, teamFaults } from '../resource.ts';
import { periodFaults } from '../rules.ts';

/** Where they are posted to, what is posted, and every attempt. */
export type ReceiptView = Receipt & { teamId: string; messageId?: string };

const mostReceipts = 100;
/** Whose receipts are found by a number, as the document says. */
const mostMessages = 200;

export interface ReceiptSearch {
  team?: string | undefined;
  requestId?: string | undefined;
  /** E.164: of the newest messages to this number. */
  phone?: string | undefined;
  /** The first digits of its id. */
  idStart?: string | undefined;
  state?: ReceiptState | undefined;
  origin?: string | undefined;
  /** Created then or later. */
  from?: Date | undefined;
  /** Created before. */
  to?: Date | undefined;
}

/** The newest first. */
export async function listReceipts(
  management: Management,
  { team: wanted, requestId, phone, idStart, state, origin, from, to }: ReceiptSearch,
  { after, limit = mostReceipts }: { after?: Position | undefined; limit?: number | undefined } = {},
): Promise<Slice<ReceiptView>> {
  requireNone([...periodFaults(from, to), ...originFaults(origin)]);
  const { knex } = management;
  const team = await listedTeam(management, wanted);
  if (requestId !== undefined && (await findRequest(knex, team, requestId)) === undefined)
    throw new ManagementError([faults.notFound('request', requestId)]);
  if (idStart !== undefined) {
    const found = await findReceiptsFrom(knex, team, uuidsFrom(idStart), limit);
    return { items: found.map(viewOf), end: undefined };
  }
  const messageIds = phone === undefined ? undefined : await newestMessagesTo(management, team, phone);
  const place = after && { createdAt: after[0] ?? '', id: after[1] ?? '' };
  const { receipts, next } = await listStored(knex, team, {
    requestId,
    messageIds,
    state,
    origin: origin && originOf(origin),
    from,
    to,
    after: place,
    limit,
  });
  return { items: receipts.map(viewOf), end: next && [next.createdAt, next.id] };
}

/** Their ids in the database. */
async function newestMessagesTo(
  { knex, secrets }: Management,
  team: string | undefined,
  phone: string,
): Promise<string[]> {
  const phoneHash = (await secrets()).hashPhone(phone);
  const filter = {
    phone,
    phoneHash,
    correlator: undefined,
    state: undefined,
    from: undefined,
    to: undefined,
  };
  const { items } = await searchMessages(knex, team, filter, undefined, mostMessages, ({ id }) => id);
  return items;
}

/** Throws a ManagementError if it does not exist for the caller. */
export async function showReceipt(management: Management, id: string): Promise<ReceiptView> {
  return viewOf(await requireReceipt(management.knex, management, id));
}

/** One that is being posted stays as it is; one that waits is due now. */
export async function resendReceipt(management: Management, id: string): Promise<ReceiptView> {
  return management.knex.transaction(async (trx) => {
    const before = await requireReceipt(trx, management, id);
    await resendStored(trx, before.teamId, id);
    await audit(trx, management, {
      action: 'resend',
      noun: 'receipt',
      id,
      team: before.teamId,
      before: { state: before.state },
      after: { state: 'Waiting' },
    });
    return viewOf(await requireReceipt(trx, management, id));
  });
}

async function requireReceipt(knex: Knex, { team }: Management, id: string): Promise<StoredReceipt> {
  const stored = isUuid(id) ? await findReceipt(knex, team, id) : undefined;
  if (stored === undefined) throw new ManagementError([faults.notFound('receipt', id)]);
  return stored;
}

export type OperatorsReplay = Pick<Replay, 'from' | 'to' | 'origin' | 'which'> & { team: string };

async function replayFaults(management: Management, { team, from, to, origin }: OperatorsReplay) {
  const isEmpty = to !== undefined && to <= from;
  return [
    ...originFaults(origin),
    ...(isEmpty ? [faults.fieldRule('to', 'later than from')] : []),
    ...(await teamFaults(management.knex, management, team)),
  ];
}

/** What `replayReceipts` would post now. */
export async function countReplays(management: Management, replay: OperatorsReplay): Promise<ReplayCount> {
  requireNone(await replayFaults(management, replay));
  return countReplay(management.knex, replay.team, replay);
}

/** Within the limits of the team. Nothing is posted if `expected` is another number than it would be. */
export async function replayReceipts(
  management: Management,
  { expected, ...replay }: OperatorsReplay & { expected?: number | undefined },
): Promise<Replayed> {
  requireNone(await replayFaults(management, replay));
  const { team, from, to, origin, which } = replay;
  return management.knex.transaction(async (trx) => {
    const replayed = await replayStored(trx, team, replay);
    if (expected !== undefined && replayed.receipts !== expected)
      throw new ManagementError([faults.replayCount(expected, replayed.receipts)]);
    await audit(trx, management, {
      action: 'replay',
      noun: 'receipt',
      id: which,
      team,
      before: null,
      after: { from: from.toISOString(), to: to?.toISOString(), origin, receipts: replayed.receipts },
    });
    return replayed;
  });
}

function originFaults(origin: string | undefined): Fault[] {
  if (origin === undefined || originOf(origin) !== undefined) return [];
  return [faults.fieldRule('origin', 'the scheme, host and port of a callback URL')];
}

function viewOf(stored: StoredReceipt): ReceiptView {
  const { teamId, subject } = stored;
  const { body, ...receipt } = receiptOf(stored);
  // What people write is shown to nobody but the team's clients.
  const shownBody = body === undefined || 'inboundMessageId' in subject ? {} : { body };
  return { ...receipt, ...shownBody, teamId, ...messageOf(subject) };
}

function messageOf(subject: ReceiptSubject): Pick<ReceiptView, 'messageId'> {
  if (!('requestId' in subject) || subject.message === null) return {};
  return { messageId: messageIdOf({ requestId: subject.requestId, ...subject.message }) };
}
