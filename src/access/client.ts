/** A client, as stored and as the caller of a request. */
import { changeable, fixed, kept, type Row } from '../platform/db/rows.ts';

export const clientProperties = {
  id: fixed<string>(),
  teamId: fixed<string>(),
  name: changeable<string>({ initially: (id) => id }),
  /** Keyed hashes of its client secrets; two while one replaces the other. */
  secretHashes: kept<readonly string[]>(),
  /** Sealed secrets that sign its callbacks; two while one replaces the other. */
  signingSecrets: kept<readonly string[]>(),
  /** In the order in which tokens list them. */
  scopes: changeable<readonly string[]>({ initially: [] }),
  /** IP addresses and CIDR blocks it may call from; empty: any. */
  allowedAddresses: changeable<readonly string[]>({ initially: [] }),
  /** Web origins whose pages may call as this client; empty: none. */
  webOrigins: changeable<readonly string[]>({ initially: [] }),
  /** The trusted issuer of its tokens; null: this service. */
  issuer: fixed<string | null>({ initially: null }),
  enabled: kept<boolean>(),
  /**
   * Milliseconds since 1970: tokens issued before are invalid. Each token carries the value of its time, so that
   * neither the whole seconds of `iat` nor the clocks of several machines blur which tokens were meant.
   */
  tokensValidFromMs: kept<number>({
    column: 'tokens_valid_from',
    read: (at: Date) => at.getTime(),
    write: (ms) => new Date(ms),
  }),
  /** Recipients a second in each operation, within its team's rate; null: the team's rate alone. */
  ratePerSecond: changeable<number | null>({ initially: null }),
};

/** A program of a team that may ask for tokens. */
export type Client = Row<typeof clientProperties>;

/** Who makes an authenticated request. */
export interface Caller {
  clientId: string;
  teamId: string;
  /** What the token grants and the client still has. */
  scopes: readonly string[];
}
