/** The types of a client, as stored and as the caller of a request. */

/** A program of a team that may ask for tokens. */
export interface Client {
  id: string;
  teamId: string;
  name: string;
  /** Keyed hashes of its client secrets; two while one replaces the other. */
  secretHashes: readonly string[];
  /** Sealed secrets that sign its callbacks; two while one replaces the other. */
  signingSecrets: readonly string[];
  /** In the order in which tokens list them. */
  scopes: readonly string[];
  /** IP addresses and CIDR blocks it may call from; empty: any. */
  allowedAddresses: readonly string[];
  /** Web origins whose pages may call as this client; empty: none. */
  webOrigins: readonly string[];
  /** The trusted issuer of its tokens; null: this service. */
  issuer: string | null;
  enabled: boolean;
  /**
   * Milliseconds since 1970: tokens issued before are invalid. Each token carries the value of its time, so that
   * neither the whole seconds of `iat` nor the clocks of several machines blur which tokens were meant.
   */
  tokensValidFromMs: number;
  /** Recipients a second in each operation, within its team's rate; null: the team's rate alone. */
  ratePerSecond: number | null;
}

/** Who makes an authenticated request. */
export interface Caller {
  clientId: string;
  teamId: string;
  /** What the token grants and the client still has. */
  scopes: readonly string[];
}
