/** The rules on campaigns: ownership, status, end and denominations. */
import { describe, expect, test } from '@jest/globals';
import { Rejection } from '../../platform/errors.ts';
import { testEvery } from '../../platform/for-every-testing.ts';
import { type Campaign, requireAllowed, requireCampaign } from './campaign.ts';

const nowMs = Date.UTC(2026, 10, 21);
const campaign: Campaign = {
  id: 'rewards',
  status: 'Active',
  allowedDenominations: ['100MB', '1GB'],
  expiresAtMs: null,
};

function refusalOf(rule: () => unknown): Rejection | undefined {
  try {
    rule();
  } catch (error) {
    if (error instanceof Rejection) return error;
    throw error;
  }
  return undefined;
}

describe('the campaign', () => {
  testEvery<[string, Campaign | undefined, number, string]>([
    ['unknown', undefined, 404, 'Campaign rewards not found.'],
    [
      'archived',
      { ...campaign, status: 'Archived' },
      400,
      'Campaign rewards is not active. Current status: Archived',
    ],
    [
      'over',
      { ...campaign, expiresAtMs: nowMs - 1 },
      400,
      'Campaign rewards expired at 2026-11-20T23:59:59.999Z.',
    ],
    [
      'expired at this very moment',
      { ...campaign, expiresAtMs: nowMs },
      400,
      'Campaign rewards expired at 2026-11-21T00:00:00.000Z.',
    ],
    [
      'archived, then expired',
      { ...campaign, status: 'Archived', expiresAtMs: nowMs - 1 },
      400,
      'Campaign rewards is not active. Current status: Archived',
    ],
  ])('%s', (_rule, given, status, desc) => {
    expect(refusalOf(() => requireCampaign('rewards', given, nowMs))).toMatchObject({ status, desc });
  });

  test.each<[string, Campaign]>([
    ['without an end', campaign],
    ['that ends later', { ...campaign, expiresAtMs: nowMs + 1 }],
  ])('%s is accepted', (_rule, given) => {
    expect(requireCampaign('rewards', given, nowMs)).toBe(given);
  });
});

describe('its denominations', () => {
  testEvery<[string, string[], string | undefined]>([
    ['one that it allows', ['1GB'], undefined],
    ['one that it does not', ['5GB'], 'Campaign rewards does not allow denominations: 5GB'],
    [
      'several that it does not, once each, in the order of the request',
      ['5GB', '1GB', '2GB', '5GB'],
      'Campaign rewards does not allow denominations: 5GB, 2GB',
    ],
  ])('%s', (_rule, denominations, desc) => {
    expect(refusalOf(() => requireAllowed(campaign, denominations))?.desc).toBe(desc);
  });
});
