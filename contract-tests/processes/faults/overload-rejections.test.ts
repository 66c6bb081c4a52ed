/** Every operation that accepts messages rejects them while earlier requests wait for the database. */
import { expect, test } from '@jest/globals';
import { sending } from '../../../spec/document.ts';
import { forEvery } from '../../../src/platform/for-every-testing.ts';
import { askAsPublished } from '../../support/document/published-requests.ts';
import { startDemoClient } from '../../support/service/demo-client.ts';
import { topUp } from '../../support/service/stored-data.ts';

test('429 The service is overloaded. Try again later.', async () => {
  // A request that waits at all waits too long.
  const settings = { OVERLOADED_AFTER_MS: '0', RATE_LIMIT_PER_SECOND: '1000000' };
  const { service, token } = await startDemoClient(settings, ({ knex, demo }) =>
    topUp(knex, demo.clientId, 1_000_000),
  );
  const named = sending.map((operation) => ({ operation, name: operation.operationId }));
  try {
    await forEvery(named, '$name', async ({ operation }) => {
      const send = () => askAsPublished(service.demo.baseUrl, operation, { token });
      const together = async () => (await Promise.all(Array.from({ length: 120 }, send))).filter(isRefused);
      let refused: Awaited<ReturnType<typeof together>> = [];
      // One lot may just fit.
      while (refused.length === 0) refused = await together();
      for (const { body: said, headers } of refused) {
        expect(said).toEqual({
          error: 'rate_limit_exceeded',
          error_description: 'The service is overloaded. Try again later.',
        });
        expect(Number(headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
      }
      expect((await send()).status).toBe(200);
    });
  } finally {
    await service.dispose();
  }
});

const isRefused = ({ status }: { status: number }) => status !== 200;
