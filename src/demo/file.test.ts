/** demo.json and the greeting keep the demo's secrets to those who started it. */
import { mkdtempSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { type Demo, demoFile, demoGreeting, findDemoFile, readDemoFile, writeDemoFile } from './file.ts';

const demo = {
  baseUrl: 'http://127.0.0.1:3000',
  clientId: 'demo',
  clientSecret: 'canary',
  signingSecret: 'whsec_x',
  smsServiceId: 'sms',
  chatAppServiceId: 'chat',
  phoneNumberIds: ['1'],
} as unknown as Demo;
const directory = mkdtempSync(join(tmpdir(), 'demo-file-'));

test('the file is for its owner only, and holds what was written', () => {
  expect(findDemoFile(directory)).toBeUndefined();
  writeDemoFile(directory, demo);
  expect(statSync(demoFile(directory)).mode & 0o777).toBe(0o600);
  expect(readDemoFile(directory)).toEqual(demo);
});

test('the error about a damaged file quotes nothing of it', () => {
  writeFileSync(demoFile(directory), '{"clientSecret": canary}');
  expect(() => readDemoFile(directory)).toThrow('it is not JSON');
  expect(() => readDemoFile(directory)).not.toThrow('canary');
});

test('the greeting shows how to manage only to those who can', () => {
  const managementUrl = 'http://127.0.0.1:3001/management';
  const owned = demoGreeting({ ...demo, managementUrl, accessKey: 'demo-owner.key' }, directory);
  expect(owned).toContain('access key      demo-owner.key');
  expect(owned).toContain(`curl -s '${managementUrl}/messages?limit=1'`);
  expect(demoGreeting(demo, directory)).not.toMatch(/undefined|access key|operator/);
});
