/** Which variables are taken for misspelt settings. */
import { expect, test } from '@jest/globals';
import { testEvery } from '../platform/for-every-testing.ts';
import { readConfig } from './config.ts';

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
