/** What each method sends that the document alone describes: with the examples of its parameters and bodies. */
import { requestsOf, secured } from '../../spec/document.ts';
import { methods } from '../methods.ts';
import type { RequestCase } from './sends.ts';

const byDocument = methods
  .filter((one) => one.composed === undefined)
  .flatMap(({ operationId, group, name, each, item, id }): RequestCase[] => {
    const operation = secured.find((one) => one.operationId === operationId);
    if (operation === undefined) throw new Error(`no operation ${operationId}`);
    const ids = id === undefined ? {} : { [id.name]: 'a/b' };
    const place = operation.path.replace(/\{\w+\}/, 'a%2Fb');
    const query = (operation.parameters ?? []).filter((one) => one.in === 'query');
    const bodies =
      operation.requestBody === undefined ? [undefined] : requestsOf(operation).examples.values();
    const withQuery = (parameters: typeof query) => ({
      args: { ...ids, ...Object.fromEntries(parameters.map((one) => [one.name, one.example])) },
      path: parameters.reduce(
        (path, one, number) =>
          `${path}${number === 0 ? '?' : '&'}${one.name}=${encodeURIComponent(String(one.example))}`,
        place,
      ),
    });
    const called = { operationId, call: `${group}.${name}` };
    const all = [...bodies].map((body): RequestCase => {
      const { args, path } = withQuery(query);
      return {
        ...called,
        args: { ...args, ...(body as object) },
        path,
        ...(body === undefined ? {} : { body }),
      };
    });
    const required = query.filter((one) => one.required);
    const least: RequestCase[] = query.length === 0 ? [] : [{ ...called, ...withQuery(required) }];
    const pages = withQuery(query.filter((one) => one.name !== 'cursor'));
    const eachOf: RequestCase[] =
      item === undefined ? [] : [{ operationId, call: `${group}.${each}`, ...pages, part: 'items' }];
    return [...all, ...least, ...eachOf];
  });

export const reads: readonly RequestCase[] = [
  ...byDocument,
  {
    operationId: 'listMessages',
    call: 'messages.list',
    args: { correlator: 'order 1', cursor: 'c+/=' },
    path: '/messages?correlator=order%201&cursor=c%2B%2F%3D',
  },
  // A time in the form of the language.
  {
    operationId: 'listMessages',
    call: 'messages.list',
    args: { from: { instant: '2026-11-21T00:00:00.500Z' }, to: { instant: '2026-11-21T03:00:00+03:00' } },
    path: '/messages?from=2026-11-21T00%3A00%3A00.500Z&to=2026-11-21T00%3A00%3A00.000Z',
  },
  {
    operationId: 'replayReceipts',
    call: 'receipts.replay',
    args: { from: { instant: '2026-11-21T00:00:00Z' }, which: 'All' },
    path: '/receipts/replay',
    body: { from: '2026-11-21T00:00:00.000Z', which: 'All' },
  },
];
