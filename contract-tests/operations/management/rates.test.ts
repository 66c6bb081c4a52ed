/** A team may have a rate of its own in each operation that the document limits, and in no other. */
import { expect, test } from '@jest/globals';
import { operations } from '../../../spec/document.ts';
import { readDocument } from '../../../src/contract/document.ts';
import { edit } from '../../support/management/caller.ts';
import { addTeam } from '../../support/management/team.ts';
import { sharedSms } from '../../support/requests/sms.ts';

const { paths } = readDocument('openapi') as { paths: Record<string, Record<string, Described>> };
interface Described {
  operationId: string;
  'x-limit'?: object;
}
const limited = Object.values(paths)
  .flatMap((item) => Object.values(item))
  .flatMap(({ operationId, 'x-limit': limit }) => (limit === undefined ? [] : [operationId]));
const others = operations.map(({ operationId }) => operationId).filter((one) => !limited.includes(one));

test('a rate in each limited operation, and 400 for another', async () => {
  const { service } = await sharedSms();
  const { teamId } = await addTeam(service, {});
  const operationRates = Object.fromEntries(limited.map((operation) => [operation, 5]));
  await edit(service.operate, `/teams/${teamId}`, { operationRates });
  expect((await service.operate(`GET /teams/${teamId}`)).body.operationRates).toEqual(operationRates);

  expect(others).toEqual(['issueToken']);
  for (const operation of [...others, 'sendFax'])
    await expect(
      edit(service.operate, `/teams/${teamId}`, { operationRates: { [operation]: 5 } }),
    ).rejects.toThrow(/: 400 .*operationRates must be for one of sendSms, /);
});
