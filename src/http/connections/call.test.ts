/** A call has the path that it was given, whatever an id in it looks like. */
import { afterAll, beforeAll, expect } from '@jest/globals';
import { filled } from '../../contract/management.ts';
import { testEvery } from '../../platform/for-every-testing.ts';
import { type Serving, serving } from '../../platform/serving-testing.ts';
import { send } from './call.ts';

let server: Serving;
beforeAll(async () => {
  server = await serving((request, response) => response.end(request.url));
});
afterAll(() => server.close());

testEvery(['..', '.', '...', '%2e%2e', '../teams', 'a/b', 'a?b#c', '$&', 'https://shop.example', 'é'])(
  'an id stays one step of the path: %s',
  async (id) => {
    const path = filled('/endpoints/{id}', { id }, { teamId: '..' });
    const { body } = await send(`${server.url}/management`, { method: 'get', path }, {});
    const [before, step, ...more] = String(body).split('?')[0]?.split('/').slice(2) ?? [];
    expect([before, decodeURIComponent(step ?? ''), more]).toEqual(['endpoints', id, []]);
    expect(String(body)).toMatch(/^\/management\/.*\?teamId=\.\.$/);
  },
);
