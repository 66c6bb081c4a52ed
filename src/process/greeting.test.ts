/** The greeting of a start: every address, the database without its password, the mode, and what to try. */
import { expect, test } from '@jest/globals';
import { readConfig } from '../config.ts';
import { greeting, readyFields } from './greeting.ts';

const addresses = {
  publicUrl: 'http://127.0.0.1:3000',
  managementUrl: 'http://127.0.0.1:3001/management',
  metricsUrl: 'http://127.0.0.1:9464/metrics',
};
const secretKey = Buffer.alloc(32, 1).toString('base64');

test('a demo on the embedded database', () => {
  const text = greeting(readConfig({}), addresses);
  for (const part of [
    ...Object.values(addresses),
    'http://127.0.0.1:3000/docs',
    'embedded, in ./data',
    'demo: ',
  ])
    expect(text).toContain(part);
  expect(text).toMatch(/npx tarishi send \+254711000000 'Habari/);
  expect(text).toContain('npx tarishi listen');
});

test('a data directory of its own is named in the commands', () => {
  expect(greeting(readConfig({ DATA_DIR: '/tmp/x' }), addresses)).toContain(
    'DATA_DIR=/tmp/x npx tarishi send',
  );
});

test('production on PostgreSQL, without what is secret', () => {
  const config = readConfig({
    NODE_ENV: 'production',
    DATABASE_URL: 'postgres://tarishi:canary@db:5432/tarishi',
    SECRET_KEY: secretKey,
  });
  const text = greeting(config, { metricsUrl: addresses.metricsUrl });
  expect(text).toContain('PostgreSQL, db:5432/tarishi');
  expect(text).toContain('production');
  expect(text).not.toMatch(/canary|API|tarishi send/);
  expect(readyFields(config, addresses)).toEqual({
    ...addresses,
    docsUrl: 'http://127.0.0.1:3000/docs',
    database: 'PostgreSQL, db:5432/tarishi',
    mode: 'production',
  });
});
