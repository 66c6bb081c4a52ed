/** Calls of every management operation, on the resources of a team. */
import type { Management } from '../../../src/manage/management.ts';
import { bodies } from './bodies.ts';
import type { Answer, CallManagement } from './caller.ts';
import { needsIfMatch, operations } from './document.ts';
import type { Named } from './named.ts';
import { addMessage } from './sent-message.ts';

/** What every team's resources stand on. */
const shared: [operation: string, body: object][] = [
  ['POST /connectors', { name: 'sms', kind: 'simulator' }],
  ['POST /connectors', { name: 'chat', kind: 'chat-simulator' }],
  ['POST /senders', { id: 'verify', category: 'UTILITY', sender: 'VERIFY' }],
  ['POST /channels', { name: 'Shared', prefixes: ['2548'], connector: 'sms' }],
];

export async function addShared(root: CallManagement): Promise<void> {
  for (const [operation, body] of shared) requireSuccess(await root(operation, body), operation);
}

/** Adds one of each resource for a team. */
export async function addResources(
  { management }: { management: Pick<Management, 'knex'> },
  root: CallManagement,
  named: Named,
): Promise<Named> {
  // A team comes before its users.
  const creating = operations
    .filter(({ operationId }) => operationId.startsWith('create'))
    .sort(
      (one, other) => Number(other.operationId === 'createTeam') - Number(one.operationId === 'createTeam'),
    );
  for (const { operationId, path } of creating)
    requireSuccess(await root(`POST ${path}`, bodies[operationId]?.(named)), path);
  requireSuccess(await root('POST /opt-outs/imports', bodies.importOptOuts(named)), 'import', 200);
  requireSuccess(await root('POST /ported-numbers/imports', bodies.importPortedNumbers(named)), 'table', 200);
  const [item] = await management
    .knex('quarantine')
    .insert({ round: 'report', item: named.teamId, payload: '{}', reason: 'made by a test' })
    .returning('id');
  await addMessage(management, named);
  return { ...named, itemId: String(item.id) };
}

function requireSuccess({ status, text }: Answer, what: string, expected = 201): void {
  if (status !== expected) throw new Error(`${what}: ${status} ${text}`);
}

type Operation = (typeof operations)[number];

/** The names with another one for what the operation creates. */
export function namedForNew({ path }: Operation, named: Named, others: Named): Named {
  const one = operations.find((other) => other.path.startsWith(`${path}/{`));
  const [, parameter = ''] = /\{(\w+)\}$/.exec(one?.path ?? '') ?? [];
  return { ...named, [parameter]: others[parameter as keyof Named] };
}

/** The path of a call with its ids, such as `PATCH /teams/acme`. */
export function requestOf(
  { method, path, parameters = [] }: Pick<Operation, 'method' | 'path' | 'parameters'>,
  named: Named,
): string {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => named[name as keyof Named]);
  const query = parameters
    .filter((one) => one.in === 'query' && one.required)
    .map(({ name, example }) => `${name}=${example}`);
  // An id that is unique in a team only.
  if (path.includes('{importId}')) query.push(`teamId=${named.teamId}`);
  return `${method.toUpperCase()} ${filled}${query.length === 0 ? '' : `?${query.join('&')}`}`;
}

/** Calls an operation as it is meant to be called: with a valid body and the current ETag. */
export async function callOperation(as: CallManagement, operation: Operation, named: Named): Promise<Answer> {
  const body = bodies[operation.operationId]?.(named);
  const headers = needsIfMatch(operation) ? { 'if-match': await etagFor(as, operation, named) } : {};
  return as(requestOf(operation, named), body, headers);
}

/** Of the resource that the operation changes. */
export async function etagFor(as: CallManagement, { path }: Operation, named: Named): Promise<string> {
  const resource = path.slice(0, path.lastIndexOf('}') + 1);
  const { headers } = await as(requestOf({ method: 'get', path: resource, parameters: [] }, named));
  return headers.get('etag') ?? '"none"';
}
