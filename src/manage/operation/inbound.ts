/** Lists what people sent, for operators: who to whom and when, but not what. */
import { type InboundMessage, inboundMessage, type StoredInbound } from '../../inbound/published.ts';
import { requireNone } from '../../platform/errors/management.ts';
import { searchInbound } from '../../read/inbound-repository.ts';
import type { Position, Slice } from '../../read/page.ts';
import { listUnreadable, type UnreadableView } from '../../read/unreadable-repository.ts';
import type { Management } from '../management.ts';
import { listedTeam } from '../resource.ts';
import { periodFaults } from '../rules.ts';

export type InboundView = Omit<InboundMessage, 'type' | 'text' | 'media' | 'replyableUntil'> & {
  teamId: string;
};

const mostItems = 100;

export interface InboundSearch {
  team?: string | undefined;
  /** E.164. */
  phone?: string | undefined;
  /** Received then or later. */
  from?: Date | undefined;
  /** Received before. */
  to?: Date | undefined;
}

/** The newest first. */
export async function listInboundMessages(
  management: Management,
  { team, phone, from, to }: InboundSearch,
  { after, limit = mostItems }: { after?: Position | undefined; limit?: number | undefined } = {},
): Promise<Slice<InboundView>> {
  requireNone(periodFaults(from, to));
  const phoneHash = phone === undefined ? undefined : (await management.secrets()).hashPhone(phone);
  return searchInbound(
    management.knex,
    await listedTeam(management, team),
    { phone, phoneHash, from: from?.toISOString(), to: to?.toISOString() },
    after,
    limit,
    viewOf,
  );
}

/** What could not be read, the newest first. Only users of the platform see what no team is known for. */
export async function listUnreadableInbound(
  management: Management,
  { team, from, to }: Omit<InboundSearch, 'phone'>,
  { after, limit = mostItems }: { after?: Position | undefined; limit?: number | undefined } = {},
): Promise<Slice<UnreadableView>> {
  requireNone(periodFaults(from, to));
  return listUnreadable(management.knex, await listedTeam(management, team), { from, to }, { after, limit });
}

function viewOf(stored: StoredInbound & { teamId: string }): InboundView {
  const {
    type: _type,
    text: _text,
    media: _media,
    replyableUntil: _until,
    ...shown
  } = inboundMessage(stored);
  return { ...shown, teamId: stored.teamId };
}
