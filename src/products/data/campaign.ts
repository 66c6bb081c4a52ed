/** The type of a campaign, and its rules on denominations and end date. */
import { errors } from '../../platform/errors.ts';

/** How often one phone may get a bundle. */
export type Frequency =
  | 'OneTime'
  | 'Hourly'
  | 'Daily'
  | 'Weekly'
  | 'BiWeekly'
  | 'Monthly'
  | 'Quarterly'
  | 'SemiAnnual'
  | 'Annual'
  | 'Unlimited';

export interface Campaign {
  id: string;
  status: 'Active' | 'Archived';
  allowedDenominations: readonly string[];
  /** Milliseconds since 1970; null: it does not end. */
  expiresAtMs: number | null;
}

/** Throws 404 for a campaign that the team does not have, 400 for one that is archived or over. */
export function requireCampaign(campaignId: string, campaign: Campaign | undefined, nowMs: number): Campaign {
  if (campaign === undefined) throw errors.campaignUnknown(campaignId);
  const { status, expiresAtMs } = campaign;
  if (status !== 'Active') throw errors.campaignNotActive(campaignId, status);
  if (expiresAtMs !== null && expiresAtMs <= nowMs)
    throw errors.campaignExpired(campaignId, new Date(expiresAtMs).toISOString());
  return campaign;
}

/** Throws 400 with every denomination that the campaign does not allow, once each. */
export function requireAllowed(
  { id, allowedDenominations }: Campaign,
  denominations: readonly string[],
): void {
  const refused = new Set(denominations.filter((one) => !allowedDenominations.includes(one)));
  if (refused.size > 0) throw errors.denominationsNotAllowed(id, [...refused]);
}
