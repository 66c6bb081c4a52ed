/** What is stored of submissions while their lot is under way, on a real database. */
import { beforeAll, expect, test } from '@jest/globals';
import { createSubmissions, type Submissions } from './part-repository.ts';
import { openedReports } from './testing.ts';

const { messages, accepted, store, wakes } = openedReports();
let submissions: Submissions;
beforeAll(() => {
  submissions = createSubmissions(messages.database.knex);
});

const rows = (table: string) => messages.database.knex(table);

test('a message sent in one part is submitted with its id, and needs no row for parts', async () => {
  const id = await accepted();
  const parts = submissions.partsOf('smsc');
  await parts.keep({ messageId: id, number: 1, parts: 1, networkId: 'whole-1' });
  expect(await messages.rowsOf([id])).toMatchObject([
    { state: 'Submitted', connector: 'smsc', network_id: 'whole-1', segments: 1 },
  ]);
  expect([await rows('message_parts'), await parts.of([id])]).toEqual([[], []]);
});

test('one of several parts is kept for the next attempt, and its message waits for the others', async () => {
  const id = await accepted();
  const parts = submissions.partsOf('smsc');
  const part = { messageId: id, number: 2, parts: 3, networkId: 'part-2' };
  await parts.keep(part);
  expect([await messages.statesOf([id]), await parts.of([id])]).toEqual([['Queued'], [part]]);
});

test('a message that ended meanwhile stays as it is', async () => {
  const id = await accepted();
  await messages.record({ messageId: id, product: 'sms', state: 'Failed', refund: false });
  await submissions.partsOf('smsc').keep({ messageId: id, number: 1, parts: 1, networkId: 'late' });
  expect(await messages.rowsOf([id])).toMatchObject([{ state: 'Failed', network_id: null }]);
});

test('a report right after the response is recorded without being stored in between', async () => {
  const ids = await messages.accept(20);
  const { keep } = submissions.partsOf('smsc');
  await Promise.all(
    ids.map((messageId) => {
      const networkId = `now-${messageId}`;
      void keep({ messageId, number: 1, parts: 1, networkId });
      return store('smsc', [{ networkId, state: 'Delivered' }], { submissionsStored: submissions.stored });
    }),
  );
  expect(new Set(await messages.statesOf(ids))).toEqual(new Set(['Delivered']));
  expect([wakes(), await rows('network_reports')]).toEqual([0, []]);
});
