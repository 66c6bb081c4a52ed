/** Newman gets through the Postman collection against the demo service. */
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from '@jest/globals';
import { sharedService } from '../../contract-tests/support/shared/service.ts';
import { operations, requestsOf } from '../../spec/document.ts';

const file = fileURLToPath(new URL('../../generated/tarishi.postman_collection.json', import.meta.url));
const newman = fileURLToPath(new URL('../../tools/node_modules/.bin/newman', import.meta.url));

test('every request of the collection is accepted by the demo service', async () => {
  const service = sharedService();
  const { baseUrl, clientSecret } = service.demo;
  const report = join(service.dataDirectory, 'newman.json');
  await promisify(execFile)(newman, [
    ...['run', file, '--suppress-exit-code', '--reporters', 'json', '--reporter-json-export', report],
    ...['--env-var', `baseUrl=${baseUrl}`, '--env-var', `clientSecret=${clientSecret}`],
  ]);
  const { run } = JSON.parse(readFileSync(report, 'utf8'));
  const failures: { source: { name: string }; error: { message: string } }[] = run.failures;
  expect(failures.map(({ source, error }) => `${source.name}: ${error.message}`)).toEqual([]);
  const { total, failed } = run.stats.assertions;
  const requests = operations.map((operation) =>
    operation.requestBody === undefined ? 1 : requestsOf(operation).examples.size,
  );
  expect([total, failed]).toEqual([requests.reduce((sum, count) => sum + count), 0]);
});
