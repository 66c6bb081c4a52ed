/** The greeting of a start: every address, the database without its password, the mode, and what to try. */
import { expect, test } from '@jest/globals';
import { demoDocsLink } from '../http/routes/demo-visitor.ts';
import { readConfig } from './config.ts';
import { greeting, readyFields } from './greeting.ts';

const addresses = {
  publicUrl: 'http://127.0.0.1:3000',
  managementUrl: 'http://127.0.0.1:3001/management',
  consoleUrl: 'http://127.0.0.1:3001/console',
  metricsUrl: 'http://127.0.0.1:9464/metrics',
};
const credentials = { clientId: 'demo', clientSecret: 'canary', signingSecret: 'whsec_x' };
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
  // In the order in which they work, quoted as every shell takes it.
  expect(text).toMatch(
    /npx tarishi listen\n.*npx tarishi send \+254711000000 "Habari.*" --receipt-to http:.*:4000\//,
  );
});

test('the link to the documentation stands in place of its address, and not in the log', () => {
  const link = demoDocsLink(addresses.publicUrl, credentials) ?? '';
  expect(link).toMatch(/^http:\/\/127\.0\.0\.1:3000\/docs\/\?key=[\w-]{43}$/);
  expect(greeting(readConfig({}), addresses, { docs: link })).toContain(`Docs        ${link}\n`);
  expect(JSON.stringify(readyFields(readConfig({}), addresses))).not.toContain('key=');
});

test('there is no such link without a demo, nor where other machines reach the service', () => {
  expect(demoDocsLink(addresses.publicUrl, undefined)).toBeUndefined();
  expect(demoDocsLink('https://demo.example', credentials)).toBeUndefined();
});

test('a data directory of its own is named in the commands', () => {
  expect(greeting(readConfig({ DATA_DIR: '/tmp/x' }), addresses)).toContain(
    'DATA_DIR=/tmp/x npx tarishi send',
  );
});

test('several servers of PostgreSQL are all named, without the password', () => {
  const config = readConfig({ DATABASE_URL: 'postgres://tarishi:canary@first:5432,second:5433/tarishi' });
  const text = greeting(config, addresses);
  expect(text).toContain('PostgreSQL, first:5432,second:5433/tarishi');
  expect(text).not.toContain('canary');
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
