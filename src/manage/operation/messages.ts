/** Looks up requests and messages for operators, with their timelines. */
import { faults, ManagementError, requireNone } from '../../errors/management.ts';
import type { Message } from '../../reading/message.ts';
import { readMessages } from '../../reading/message-repository.ts';
import { type AcceptedRequest, getRequest, readRequestMessages } from '../../reading/request-repository.ts';
import type { Management } from '../management.ts';
import { listedTeam } from '../resource.ts';
import { rules, textFaults } from '../rules.ts';
import { teamOfRequest, teamsWithMessagesTo } from './lookup-repository.ts';

export type RequestView = AcceptedRequest & { team: string };
export type MessageView = Message & { team: string };

/** Throws a ManagementError if it does not exist for the caller. */
export async function showRequest(management: Management, requestId: string): Promise<RequestView> {
  const team = await requireRequest(management, requestId);
  return { ...(await getRequest(management.knex)(team, requestId)), team };
}

const mostMessages = 100;

/** The messages of a request, in its order. */
export async function listRequestMessages(management: Management, requestId: string): Promise<MessageView[]> {
  const team = await requireRequest(management, requestId);
  const { items } = await readRequestMessages(management.knex)(team, { requestId }, undefined, mostMessages);
  return items.map((message) => ({ ...message, team }));
}

export interface MessageSearch {
  /** E.164. */
  phone: string;
  team?: string | undefined;
  /** For each team. */
  limit?: number | undefined;
}

/** Messages to a phone number, the newest first. */
export async function findMessages(
  management: Management,
  { phone, team, limit = mostMessages }: MessageSearch,
): Promise<MessageView[]> {
  requireNone(textFaults('phone', phone, rules.phone));
  const { knex } = management;
  const only = await listedTeam(management, team);
  const teams = only === undefined ? await teamsWithMessagesTo(knex, phone) : [only];
  const filter = { phone, correlator: undefined, state: undefined, from: undefined, to: undefined };
  const found: MessageView[] = [];
  for (const one of teams) {
    const { items } = await readMessages(knex)(one, filter, undefined, Math.min(limit, mostMessages));
    found.push(...items.map((message) => ({ ...message, team: one })));
  }
  return found.sort((one, other) => other.acceptedAt.localeCompare(one.acceptedAt));
}

async function requireRequest({ knex, team }: Management, requestId: string): Promise<string> {
  const owner = await teamOfRequest(knex, requestId);
  if (owner === undefined || (team !== undefined && owner !== team))
    throw new ManagementError([faults.notFound('request', requestId)]);
  return owner;
}
