/** Settings: their defaults, their values, that all faults are reported at once, and what is taken for a misspelt one. */
import { pathToFileURL } from 'node:url';
import { describe, expect, test } from '@jest/globals';
import { forEvery, testEvery } from '../platform/for-every-testing.ts';
import { type Config, readConfig } from './config.ts';

const databaseUrl = 'postgres://tarishi:canary@db/tarishi';
const severalServers = 'postgres://first:5432,second:5432/tarishi?target_session_attrs=read-write';
const databaseUrlRule = 'a postgres:// URL, with target_session_attrs=read-write or without that';
const secureUrl = 'an https URL, or an http one of this machine';
const staff = 'https://id.example/realms/staff';
const secretKey = Buffer.alloc(32, 7).toString('base64');

describe('without settings', () => {
  test('the service listens on this machine only, has demo data, and stops at once', () => {
    expect(readConfig({})).toStrictEqual({
      port: 3000,
      host: '127.0.0.1',
      metricsPort: 0,
      metricsHost: '127.0.0.1',
      managementPort: 0,
      managementHost: '127.0.0.1',
      publicUrl: undefined,
      consoleUrl: undefined,
      sso: undefined,
      production: false,
      dataDirectory: './data',
      databaseUrl: undefined,
      databasePoolSize: 10,
      databaseSessions: true,
      secretKey: undefined,
      previousSecretKey: undefined,
      defaultRegion: 'KE',
      trustedProxyHops: 0,
      trustedIssuers: [],
      logLevel: 'info',
      logFormat: 'json',
      misspelt: [],
      senders: 'granted',
      demo: true,
      allowLoopbackCallbacks: true,
      receiptScheduleSeconds: undefined,
      retentionDays: { texts: 7, receipts: 30, numbers: 90, rows: 400 },
      archiveUrl: pathToFileURL('data/archive').href,
      messageValiditySeconds: 86_400,
      connectorLeaseSeconds: 20,
      checkedResponses: 1,
      rateLimitPerSecond: undefined,
      readRateLimitPerSecond: undefined,
      overloadedAfterMs: 1_000,
      drainDelayMs: 0,
      shutdownGraceMs: 10_000,
      startedByNpm: false,
    } satisfies Config);
  });

  test('production listens on all addresses, has no demo data, and drains before it stops', () => {
    expect(readConfig({ NODE_ENV: 'production' })).toMatchObject({
      production: true,
      host: '0.0.0.0',
      metricsPort: 9464,
      metricsHost: '127.0.0.1',
      managementPort: 3001,
      managementHost: '127.0.0.1',
      demo: false,
      allowLoopbackCallbacks: false,
      checkedResponses: 0.01,
      drainDelayMs: 5_000,
    });
  });

  test('an empty variable counts as unset', () => {
    expect(readConfig({ PORT: '', DATABASE_URL: '', DEMO: '', NODE_ENV: '' })).toStrictEqual(readConfig({}));
  });
});

describe('a setting', () => {
  testEvery<[Record<string, string>, Partial<Config>]>([
    [{ PORT: '0' }, { port: 0 }],
    [{ ARCHIVE_URL: 's3://bucket.of-acme/year' }, { archiveUrl: 's3://bucket.of-acme/year' }],
    [{ DATABASE_URL: databaseUrl }, { archiveUrl: undefined }],
    [{ HOST: '::' }, { host: '::' }],
    [
      { MANAGEMENT_PORT: '3100', MANAGEMENT_HOST: '10.0.0.1' },
      { managementPort: 3100, managementHost: '10.0.0.1' },
    ],
    [
      { METRICS_PORT: '9000', METRICS_HOST: '0.0.0.0' },
      { metricsPort: 9_000, metricsHost: '0.0.0.0' },
    ],
    [{ NODE_ENV: 'test' }, { production: false }],
    [{ PUBLIC_URL: 'https://sms.example.com/base//' }, { publicUrl: 'https://sms.example.com/base' }],
    [{ CONSOLE_URL: 'https://Console.example/' }, { consoleUrl: 'https://console.example' }],
    [{ CONSOLE_URL: 'http://127.0.0.1:3001' }, { consoleUrl: 'http://127.0.0.1:3001' }],
    [
      { CONSOLE_URL: 'https://console.example', OIDC_ISSUER: staff, OIDC_CLIENT_ID: 'tarishi' },
      { sso: { issuer: staff, clientId: 'tarishi', clientSecret: undefined, userClaim: 'email' } },
    ],
    [{ DATABASE_URL: databaseUrl }, { databaseUrl }],
    [{ DATABASE_URL: 'postgresql://db/tarishi' }, { databaseUrl: 'postgresql://db/tarishi' }],
    [{ DATABASE_URL: severalServers }, { databaseUrl: severalServers }],
    [{ SECRET_KEY: secretKey }, { secretKey }],
    [{ DEFAULT_REGION: 'TZ' }, { defaultRegion: 'TZ' }],
    [{ LOG_LEVEL: 'silent' }, { logLevel: 'silent' }],
    [{ DEMO: 'false' }, { demo: false, allowLoopbackCallbacks: false }],
    [
      { DEMO: 'false', ALLOW_LOOPBACK_CALLBACKS: 'true' },
      { demo: false, allowLoopbackCallbacks: true },
    ],
    [
      { NODE_ENV: 'production', DEMO: 'true' },
      { demo: true, allowLoopbackCallbacks: false },
    ],
    [{ RECEIPT_SCHEDULE_SECONDS: '1, 2.5,300' }, { receiptScheduleSeconds: [1, 2.5, 300] }],
    [{ CHECKED_RESPONSES: '0.25' }, { checkedResponses: 0.25 }],
    [{ DRAIN_DELAY_MS: '1500' }, { drainDelayMs: 1_500 }],
  ])('%j', (environment, expected) => {
    expect(readConfig(environment)).toMatchObject(expected);
  });
});

describe('a wrong setting', () => {
  test('each invalid value is named', () =>
    forEvery(
      [
        ['PORT', '65536', 'a whole number from 0 to 65535'],
        ['PORT', '80.5', 'a whole number from 0 to 65535'],
        ['METRICS_PORT', 'http', 'a whole number from 0 to 65535'],
        ['NODE_ENV', 'Production', 'one of production, development, test'],
        ['PUBLIC_URL', 'sms.example.com', 'an http or https URL'],
        [
          'ARCHIVE_URL',
          '/var/lib/tarishi/archive',
          'a URL such as file:///var/lib/tarishi/archive or s3://bucket/folder',
        ],
        ['CONSOLE_URL', 'http://console.example', `${secureUrl}, without a path`],
        ['CONSOLE_URL', 'https://console.example/console', `${secureUrl}, without a path`],
        ['OIDC_ISSUER', 'http://id.example', secureUrl],
        ['DATABASE_URL', 'mysql://db/tarishi', databaseUrlRule],
        ['DATABASE_URL', 'postgres://db:one,db:two/tarishi', databaseUrlRule],
        ['DATABASE_URL', 'postgres://a,b/tarishi?target_session_attrs=standby', databaseUrlRule],
        ['DATABASE_POOL_SIZE', '1', 'a whole number from 2 to 200'],
        ['SECRET_KEY', 'c2hvcnQ=', '32 bytes in base64 (openssl rand -base64 32)'],
        ['DEFAULT_REGION', 'ke', 'the two capital letters of a country, such as KE'],
        ['DEFAULT_REGION', 'XX', 'the two capital letters of a country, such as KE'],
        ['TRUST_PROXY_HOPS', '-1', 'a whole number from 0 to 10'],
        ['TRUSTED_ISSUERS', '{}', 'a JSON list of objects'],
        ['LOG_LEVEL', 'loud', 'one of fatal, error, warn, info, debug, trace, silent'],
        ['DEMO', 'yes', 'true or false'],
        ['ALLOW_LOOPBACK_CALLBACKS', '1', 'true or false'],
        ['RECEIPT_SCHEDULE_SECONDS', '5,soon', 'seconds separated by commas'],
        ['MESSAGE_VALIDITY_SECONDS', '0', 'a whole number from 1 to 1209600'],
        ['CHECKED_RESPONSES', '2', 'a number from 0 to 1'],
        ['RATE_LIMIT_PER_SECOND', '0', 'a whole number from 1 to 1000000'],
        ['DRAIN_DELAY_MS', '5s', 'a whole number from 0 to 600000'],
        ['SHUTDOWN_GRACE_MS', 'NaN', 'a whole number from 1000 to 600000'],
      ],
      '%s=%s',
      (name, value, rule) => {
        expect(faultsOf({ [name]: value })).toStrictEqual([`${name} must be ${rule}`]);
      },
    ));

  test('OIDC_ISSUER without what it needs', () => {
    expect(faultsOf({ OIDC_ISSUER: 'https://id.example' })).toStrictEqual([
      'OIDC_CLIENT_ID is required with OIDC_ISSUER',
      'CONSOLE_URL is required with OIDC_ISSUER',
    ]);
  });

  test('TRUSTED_ISSUERS with the issuer of our own tokens', () => {
    const issuer = 'https://sms.example.com/';
    const settings = {
      PUBLIC_URL: issuer,
      TRUSTED_ISSUERS: JSON.stringify([{ issuer, audience: 'tarishi' }]),
    };
    expect(faultsOf(settings)).toStrictEqual([
      'TRUSTED_ISSUERS must not list PUBLIC_URL: the service verifies its own tokens',
    ]);
  });

  test('is reported with all others', () => {
    const faults = faultsOf({
      PORT: '-1',
      LOG_LEVEL: 'loud',
      DEMO: 'maybe',
      RATE_LIMIT_PER_SECOND: 'x',
      NODE_ENV: 'production',
      DATABASE_URL: databaseUrl,
    });
    expect(faults.map((fault) => fault.split(' ')[0]).sort()).toStrictEqual([
      'DEMO',
      'LOG_LEVEL',
      'PORT',
      'RATE_LIMIT_PER_SECOND',
      'SECRET_KEY',
    ]);
  });

  test('is not quoted: it may be a secret', () => {
    const told = faultsOf({ SECRET_KEY: 'canary', DATABASE_URL: 'canary://canary', PUBLIC_URL: 'canary' });
    expect(told).toHaveLength(3);
    expect(told.join()).not.toContain('canary');
  });
});

describe('SECRET_KEY', () => {
  test('is not its own predecessor', () => {
    expect(faultsOf({ SECRET_KEY: secretKey, SECRET_KEY_PREVIOUS: secretKey })).toEqual([
      'SECRET_KEY_PREVIOUS must not be SECRET_KEY: it is the key that SECRET_KEY replaces',
    ]);
  });

  test('is required in production with DATABASE_URL: no data directory stores one', () => {
    expect(faultsOf({ NODE_ENV: 'production', DATABASE_URL: databaseUrl })).toStrictEqual([
      'SECRET_KEY is required in production with DATABASE_URL',
    ]);
    expect(readConfig({ NODE_ENV: 'production' }).secretKey).toBeUndefined();
  });

  test('is reported once when it is wrong', () => {
    const wrong = { NODE_ENV: 'production', DATABASE_URL: databaseUrl, SECRET_KEY: 'short' };
    expect(faultsOf(wrong)).toHaveLength(1);
  });
});

describe('a misspelt setting', () => {
  testEvery([
    ['METRIC_PORT', 'METRICS_PORT'],
    ['DATABASE_URI', 'DATABASE_URL'],
    ['LOGLEVEL', 'LOG_LEVEL'],
    ['PUBLIC_URLS', 'PUBLIC_URL'],
    ['RATE_LIMIT_PER_SECONDS', 'RATE_LIMIT_PER_SECOND'],
  ])('%s is similar to %s', (name, setting) => {
    expect(readConfig({ [name]: '1' }).misspelt).toEqual([
      `${name} is not a setting: did you mean ${setting}?`,
    ]);
  });

  testEvery(['HOME', 'PATH', 'HOSTNAME', 'PORTS', 'PGDATABASE', 'NODE_OPTIONS', 'XDG_DATA_DIRS', 'LOGNAME'])(
    "%s is somebody else's",
    (name) => {
      expect(readConfig({ [name]: '1' }).misspelt).toEqual([]);
    },
  );

  test('a fault names the variable that was probably meant', () => {
    const environment = { NODE_ENV: 'production', DATABASE_URL: 'postgres://db/tarishi', SECRET_KEYS: 'x' };
    expect(() => readConfig(environment)).toThrow(
      /SECRET_KEY is required.*\n +SECRET_KEYS is not a setting: did you mean SECRET_KEY\?/,
    );
  });
});

function faultsOf(environment: Record<string, string>): string[] {
  try {
    readConfig(environment);
    return [];
  } catch (error) {
    const [title, ...faults] = (error as Error).message.split('\n  ');
    expect(title).toBe('invalid settings:');
    return faults;
  }
}
