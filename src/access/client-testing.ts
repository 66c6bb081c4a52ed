/** A client for the tests of credentials. */
import type { Client } from './client.ts';

export const client: Client = {
  id: 'client-1',
  teamId: 'team-1',
  name: "O'Neill & Söhne",
  secretHashes: [],
  signingSecrets: [],
  scopes: ['a.read', 'a.write', 'b.read'],
  allowedAddresses: ['203.0.113.0/24', '2001:db8::/32'],
  enabled: true,
  webOrigins: [],
  issuer: null,
  tokensValidFromMs: 1_700_000_000_123,
  ratePerSecond: null,
};
