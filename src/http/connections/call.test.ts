/** A call has the path that it was given, whatever an id in it looks like. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect } from '@jest/globals';
import { filled } from '../../contract/management.ts';
import { testEvery } from '../../platform/for-every-testing.ts';
import { send } from './call.ts';

const server = createServer((request, response) => response.end(request.url));
beforeAll(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)));
afterAll(() => void server.close());

testEvery(['..', '.', '...', '%2e%2e', '../teams', 'a/b', 'a?b#c', '$&', 'https://shop.example', 'é'])(
  'an id stays one step of the path: %s',
  async (id) => {
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/management`;
    const path = filled('/endpoints/{id}', { id }, { teamId: '..' });
    const { body } = await send(url, { method: 'get', path }, {});
    const [before, step, ...more] = String(body).split('?')[0]?.split('/').slice(2) ?? [];
    expect([before, decodeURIComponent(step ?? ''), more]).toEqual(['endpoints', id, []]);
    expect(String(body)).toMatch(/^\/management\/.*\?teamId=\.\.$/);
  },
);
