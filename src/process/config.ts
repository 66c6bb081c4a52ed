/** The service's settings: the only reader of the environment; checked once, at the start. */

import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseTrustedIssuers, type TrustedIssuer } from '../access/issuers/trusted-issuer.ts';
import type { SsoSettings } from '../console/session/sso.ts';
import { canUse } from '../platform/db/servers.ts';
import { meantBy } from '../platform/text/misspelling.ts';
import { own } from '../platform/text/own.ts';
import { isArchiveUrl, isHttpUrl, isSecureUrl, withoutTrailingSlashes } from '../platform/text/url.ts';
import { isRegion } from '../products/phone/region.ts';

export interface Config {
  port: number;
  host: string;
  /** Health, readiness and metrics of every process. */
  metricsPort: number;
  metricsHost: string;
  /** The management API, in processes that serve the public API. */
  managementPort: number;
  managementHost: string;
  /** The URL that clients use; the issuer of tokens. Undefined: the listening address. */
  publicUrl: string | undefined;
  /** Where people reach the console through a proxy. Undefined: only on the address that management listens on. */
  consoleUrl: string | undefined;
  /** The OpenID Connect provider that people sign in to the console with. */
  sso: SsoSettings | undefined;
  production: boolean;
  /** Holds the embedded database, the generated secret key and demo.json. */
  dataDirectory: string;
  databaseUrl: string | undefined;
  databasePoolSize: number;
  /** False behind a pooler that gives each transaction another session. */
  databaseSessions: boolean;
  /** 32 bytes, Base64. Secret. Undefined: generated once in the data directory. */
  secretKey: string | undefined;
  /** The key that `secretKey` replaces, while it does. Secret. */
  previousSecretKey: string | undefined;
  defaultRegion: string;
  trustedProxyHops: number;
  /** Other issuers whose tokens are accepted. */
  trustedIssuers: readonly TrustedIssuer[];
  logLevel: string;
  /** `text` for people, `json` for programs. */
  logFormat: 'json' | 'text';
  /** open: what teams ask for as a sender is theirs without a review. */
  senders: 'granted' | 'open';
  /** Adds demo data to an empty database. */
  demo: boolean;
  /** Allows callbacks to this machine. For development. */
  allowLoopbackCallbacks: boolean;
  /** Seconds between the attempts to post a receipt. */
  receiptScheduleSeconds: readonly number[] | undefined;
  messageValiditySeconds: number;
  /** After a process has died others use its share of an account after this time at the latest. */
  connectorLeaseSeconds: number;
  /** For how many days the data of a final message are kept. */
  retentionDays: { texts: number; receipts: number; numbers: number; rows: number };
  /** Where old rows leave for. Undefined: they stay. */
  archiveUrl: string | undefined;
  /** Share of responses checked against the contract before they are sent: 1 is all, 0.01 one in a hundred. */
  checkedResponses: number;
  rateLimitPerSecond: number | undefined;
  /** Calls of a team to each operation that reads or has receipts posted again, in each process. */
  readRateLimitPerSecond: number | undefined;
  /** New requests get 429 while the first one in the queue has waited longer than this for the database. */
  overloadedAfterMs: number;
  /** How long the process keeps serving after SIGTERM while /readyz returns 503, so that load balancers can drain. */
  drainDelayMs: number;
  /** Time from the end of `drainDelayMs` to the exit of the process. */
  shutdownGraceMs: number;
  startedByNpm: boolean;
  /** Sentences about variables that are probably misspelt settings. */
  misspelt: readonly string[];
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Reads settings one by one and collects their faults. An empty variable counts as unset. */
function createReader(environment: Environment) {
  const faults: string[] = [];
  const names = new Set<string>();
  const text = (name: string) => {
    names.add(name);
    return own(environment, name) || undefined;
  };
  const number = <Fallback extends number | undefined>(
    name: string,
    fallback: Fallback,
    min: number,
    max: number,
    whole = true,
  ): number | Fallback => {
    const value = text(name);
    if (value === undefined) return fallback;
    const parsed = Number(value);
    const valid = whole ? Number.isInteger(parsed) : Number.isFinite(parsed);
    if (valid && parsed >= min && parsed <= max) return parsed;
    faults.push(`${name} must be a ${whole ? 'whole ' : ''}number from ${min} to ${max}`);
    return fallback;
  };
  const flag = (name: string, fallback: boolean) => {
    const value = text(name);
    if (value === undefined) return fallback;
    if (value !== 'true' && value !== 'false') faults.push(`${name} must be true or false`);
    return value === 'true';
  };
  const matching = (name: string, rule: (value: string) => boolean, words: string) => {
    const value = text(name);
    if (value !== undefined && !rule(value)) faults.push(`${name} must be ${words}`);
    return value;
  };
  return { faults, names, text, number, flag, matching };
}

type Reader = ReturnType<typeof createReader>;

/** Throws one Error that lists every fault. */
export function readConfig(environment: Environment): Config {
  const reader = createReader(environment);
  const { faults, names } = reader;
  const config = settingsFrom(reader);
  if (config.production && config.databaseUrl !== undefined && reader.text('SECRET_KEY') === undefined)
    faults.push('SECRET_KEY is required in production with DATABASE_URL');
  if (config.previousSecretKey !== undefined && config.previousSecretKey === config.secretKey)
    faults.push('SECRET_KEY_PREVIOUS must not be SECRET_KEY: it is the key that SECRET_KEY replaces');
  if (config.trustedIssuers.some(({ issuer }) => withoutTrailingSlashes(issuer) === config.publicUrl))
    faults.push('TRUSTED_ISSUERS must not list PUBLIC_URL: the service verifies its own tokens');
  const misspelt = misspeltSettings(Object.keys(environment), names);
  if (faults.length > 0) throw new Error(`invalid settings:\n  ${[...faults, ...misspelt].join('\n  ')}`);
  return { ...config, misspelt };
}

function settingsFrom(reader: Reader): Config {
  const { faults, text, number, flag, matching } = reader;
  const production = matching('NODE_ENV', isMode, `one of ${modes.join(', ')}`) === 'production';
  const databaseUrl = matching('DATABASE_URL', canUse, databaseUrlForm);
  const secretKey = matching('SECRET_KEY', isSecretKey, keyForm);
  const previousSecretKey = matching('SECRET_KEY_PREVIOUS', isSecretKey, keyForm);
  const demo = flag('DEMO', !production);
  const consoleUrl = matching('CONSOLE_URL', isOrigin, `${secureUrl}, without a path`);
  const dataDirectory = text('DATA_DIR') ?? './data';
  const publicUrl = matching('PUBLIC_URL', isHttpUrl, 'an http or https URL');
  return {
    port: number('PORT', 3000, 0, 65_535),
    host: text('HOST') ?? (production ? '0.0.0.0' : '127.0.0.1'),
    metricsPort: number('METRICS_PORT', production ? 9464 : 0, 0, 65_535),
    metricsHost: text('METRICS_HOST') ?? '127.0.0.1',
    managementPort: number('MANAGEMENT_PORT', production ? 3001 : 0, 0, 65_535),
    managementHost: text('MANAGEMENT_HOST') ?? '127.0.0.1',
    publicUrl: publicUrl === undefined ? undefined : withoutTrailingSlashes(publicUrl),
    consoleUrl: consoleUrl && isOrigin(consoleUrl) ? new URL(consoleUrl).origin : undefined,
    sso: ssoIn(reader),
    production,
    dataDirectory,
    databaseUrl,
    databasePoolSize: number('DATABASE_POOL_SIZE', 10, 2, 200),
    databaseSessions: flag('DATABASE_SESSIONS', true),
    secretKey,
    previousSecretKey,
    defaultRegion:
      matching('DEFAULT_REGION', isRegion, 'the two capital letters of a country, such as KE') ?? 'KE',
    trustedProxyHops: number('TRUST_PROXY_HOPS', 0, 0, 10),
    trustedIssuers: trustedIssuersIn(text('TRUSTED_ISSUERS'), faults),
    logLevel:
      matching('LOG_LEVEL', (value) => logLevels.includes(value), `one of ${logLevels.join(', ')}`) ?? 'info',
    logFormat: (matching('LOG_FORMAT', isLogFormat, 'json or text') ??
      (process.stdout.isTTY ? 'text' : 'json')) as Config['logFormat'],
    senders: (matching('SENDERS', isSenders, 'granted or open') ?? 'granted') as Config['senders'],
    demo,
    allowLoopbackCallbacks: flag('ALLOW_LOOPBACK_CALLBACKS', demo && !production),
    receiptScheduleSeconds: matching(
      'RECEIPT_SCHEDULE_SECONDS',
      (value) => value.split(',').every((part) => /^\d{1,6}(\.\d+)?$/.test(part.trim())),
      'seconds separated by commas',
    )
      ?.split(',')
      .map(Number),
    messageValiditySeconds: number('MESSAGE_VALIDITY_SECONDS', 24 * 3600, 1, 14 * 24 * 3600),
    connectorLeaseSeconds: number('CONNECTOR_LEASE_SECONDS', 20, 8, 300),
    retentionDays: {
      texts: number('RETENTION_TEXT_DAYS', 7, 1, longestRetentionDays),
      receipts: number('RETENTION_RECEIPT_DAYS', 30, 1, longestRetentionDays),
      numbers: number('RETENTION_NUMBER_DAYS', 90, 1, longestRetentionDays),
      rows: number('RETENTION_ROW_DAYS', 400, 1, longestRetentionDays),
    },
    archiveUrl:
      matching(
        'ARCHIVE_URL',
        isArchiveUrl,
        'a URL such as file:///var/lib/tarishi/archive or s3://bucket/folder',
      ) ?? (databaseUrl === undefined ? pathToFileURL(join(dataDirectory, 'archive')).href : undefined),
    checkedResponses: number('CHECKED_RESPONSES', production ? 0.01 : 1, 0, 1, false),
    rateLimitPerSecond: number('RATE_LIMIT_PER_SECOND', undefined, 1, 1_000_000),
    readRateLimitPerSecond: number('READ_RATE_LIMIT_PER_SECOND', undefined, 1, 1_000_000),
    overloadedAfterMs: number('OVERLOADED_AFTER_MS', 1_000, 0, 600_000),
    drainDelayMs: number('DRAIN_DELAY_MS', production ? 5_000 : 0, 0, 600_000),
    shutdownGraceMs: number('SHUTDOWN_GRACE_MS', 10_000, 1_000, 600_000),
    startedByNpm: text('npm_lifecycle_event') !== undefined,
    misspelt: [],
  };
}

function ssoIn({ faults, text, matching }: Reader): SsoSettings | undefined {
  const issuer = matching('OIDC_ISSUER', isSecureUrl, secureUrl);
  const clientId = text('OIDC_CLIENT_ID');
  const clientSecret = text('OIDC_CLIENT_SECRET');
  const userClaim = text('OIDC_USER_CLAIM') ?? 'email';
  if (issuer === undefined || !isSecureUrl(issuer)) return undefined;
  for (const name of ['OIDC_CLIENT_ID', 'CONSOLE_URL'])
    if (text(name) === undefined) faults.push(`${name} is required with OIDC_ISSUER`);
  return { issuer, clientId: clientId ?? '', clientSecret, userClaim };
}

const secureUrl = 'an https URL, or an http one of this machine';

function isOrigin(value: string): boolean {
  return isSecureUrl(value) && new URL(value).href === `${new URL(value).origin}/`;
}

const longestRetentionDays = 3_650;

const modes = ['production', 'development', 'test'];

function isMode(value: string): boolean {
  return modes.includes(value);
}

const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'];

function isSenders(value: string): boolean {
  return value === 'granted' || value === 'open';
}

function isLogFormat(value: string): boolean {
  return value === 'json' || value === 'text';
}

function trustedIssuersIn(text: string | undefined, faults: string[]): readonly TrustedIssuer[] {
  const parsed = text === undefined ? [] : parseTrustedIssuers(text);
  if (typeof parsed !== 'string') return parsed;
  faults.push(`TRUSTED_ISSUERS ${parsed}`);
  return [];
}

const databaseUrlForm = 'a postgres:// URL, with target_session_attrs=read-write or without that';

const keyForm = '32 bytes in base64 (openssl rand -base64 32)';

function isSecretKey(value: string): boolean {
  return Buffer.from(value, 'base64').length === 32;
}

/** A sentence for each of `written` that is not among `known` and resembles one that is. */
function misspeltSettings(written: readonly string[], known: ReadonlySet<string>): string[] {
  const settings = [...known].filter((name) => name === name.toUpperCase());
  return written
    .filter((name) => !known.has(name))
    .flatMap((name) => {
      const near = meantBy(name, settings);
      return near === undefined ? [] : [`${name} is not a setting: did you mean ${near}?`];
    });
}
