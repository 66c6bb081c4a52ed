/** Compares two versions of an OpenAPI or AsyncAPI document, operation by operation and as its clients see them. */
import { type Change, change, inside, type Spot, type Writer } from './change.ts';
import { compareMessages } from './messages.ts';
import { compareSchemas, type Versions } from './schemas.ts';
import { entries, list, type Node, namesOf, type Root, resolve } from './tree.ts';

/** What changed since `before`: all that a client could notice, breaking or not. */
export function compareDocuments(before: Root, after: Root): Change[] {
  const versions = { before, after };
  const [old, now] = [operationsOf(before), operationsOf(after)];
  return [
    ...namesOf(old, now).flatMap((key) => {
      const [one, other] = [old.get(key), now.get(key)];
      const operation = String((one ?? other)?.operationId ?? key);
      const spot: Spot = { operation, place: '', writer: 'client' };
      if (other === undefined) return [change({ ...spot, place: key }, 'removed', 'operation is gone')];
      if (one === undefined) return [change({ ...spot, place: key }, 'added', 'operation is new')];
      return compareOperations(versions, one, other, spot);
    }),
    ...compareWebhooks(versions),
    ...compareMessages(versions),
    ...compareCredentials(before, after),
  ];
}

/** What the service sends of itself: as with callbacks, it writes the request. */
function compareWebhooks(versions: Versions): Change[] {
  const [old, now] = [webhooksOf(versions.before), webhooksOf(versions.after)];
  return namesOf(old, now).flatMap((name) => {
    const [one, two] = [old.get(name), now.get(name)];
    const spot: Spot = { operation: name, place: 'webhook ', writer: 'service' };
    if (two === undefined) return [change(spot, 'removed', 'is gone')];
    if (one === undefined) return [change(spot, 'added', 'is new')];
    return compareOperations(versions, one, two, spot);
  });
}

function webhooksOf(root: Root): Map<string, Node> {
  const webhooks = new Map<string, Node>();
  for (const [name, item] of entries(root.webhooks))
    for (const [method, operation] of entries(resolve(root, item)))
      if (methods.includes(method)) webhooks.set(name, resolve(root, operation));
  return webhooks;
}

const methods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'];

/** By method and path; the names of path parameters are not sent, so they do not count. */
function operationsOf(root: Root): Map<string, Node> {
  const operations = new Map<string, Node>();
  for (const [path, item] of entries(root.paths))
    for (const [method, operation] of entries(resolve(root, item)))
      if (methods.includes(method))
        operations.set(
          `${method.toUpperCase()} ${path.replace(/\{[^{}]*\}/g, '{}')}`,
          resolve(root, operation),
        );
  return operations;
}

const other: Readonly<Record<Writer, Writer>> = { client: 'service', service: 'client' };

/** `spot.writer` is who sends the request. */
function compareOperations(versions: Versions, old: Node, now: Node, spot: Spot): Change[] {
  const renamed =
    old.operationId === now.operationId
      ? []
      : [change(inside(spot, 'operationId'), 'changed', `${old.operationId} → ${now.operationId}`)];
  return [
    ...renamed,
    ...compareSecurity(old, now, spot),
    ...compareNamed(versions, parametersOf(versions.before, old), parametersOf(versions.after, now), spot),
    ...compareBodies(versions, old, now, spot),
    ...compareResponses(versions, old, now, { ...spot, writer: other[spot.writer] }),
    ...compareCallbacks(versions, old, now, spot),
  ];
}

/** The order of path parameters is what tells them apart. */
function parametersOf(root: Root, operation: Node): Map<string, Node> {
  let place = 0;
  return new Map(
    list(operation.parameters).map((parameter) => {
      const resolved = resolve(root, parameter);
      const name = resolved.in === 'path' ? `${++place}` : String(resolved.name).toLowerCase();
      return [`${resolved.in} ${name}`, resolved];
    }),
  );
}

/** Parameters or headers: what may be sent beside the body. */
function compareNamed(
  versions: Versions,
  before: ReadonlyMap<string, Node>,
  after: ReadonlyMap<string, Node>,
  spot: Spot,
): Change[] {
  return namesOf(before, after).flatMap((name) => {
    const at = inside(spot, name);
    const [old, now] = [before.get(name), after.get(name)];
    if (now === undefined) return [change(at, 'removed', 'is gone')];
    if (old === undefined) {
      const demanded = now.required === true && spot.writer === 'client';
      return [change(at, demanded ? 'narrowed' : 'added', demanded ? 'is new and required' : 'is new')];
    }
    return [
      ...compareRequired(old, now, at),
      ...compareSchemas(versions, old.schema, now.schema, inside(at, ' ')),
    ];
  });
}

function compareRequired(old: Node, now: Node, spot: Spot): Change[] {
  const [before, after] = [old.required === true, now.required === true];
  if (before === after) return [];
  return [
    after ? change(spot, 'narrowed', 'is now required') : change(spot, 'widened', 'is no longer required'),
  ];
}

function compareBodies(versions: Versions, old: Node, now: Node, spot: Spot): Change[] {
  const before = resolve(versions.before, old.requestBody);
  const after = resolve(versions.after, now.requestBody);
  const at = inside(spot, 'request');
  return [...compareRequired(before, after, at), ...compareContents(versions, before, after, at)];
}

function compareContents(versions: Versions, old: Node, now: Node, spot: Spot): Change[] {
  const [before, after] = [entries(old.content), entries(now.content)];
  return namesOf(before, after).flatMap((type) => {
    if (!after.has(type)) return [change(spot, 'removed', `${type} is gone`)];
    if (!before.has(type)) return [change(spot, 'added', `${type} is new`)];
    const [one, two] = [resolve({}, before.get(type)), resolve({}, after.get(type))];
    return [
      ...compareSchemas(versions, one.schema, two.schema, inside(spot, ' ')),
      ...compareExamples(one, two, spot),
    ];
  });
}

/** Each sentence of a response is an example, and the mock returns it by this name. */
function compareExamples(old: Node, now: Node, spot: Spot): Change[] {
  if (spot.writer === 'client') return [];
  const [before, after] = [entries(old.examples), entries(now.examples)];
  return namesOf(before, after).flatMap((name) => {
    if (!after.has(name)) return [change(spot, 'removed', `example ${name} is gone`)];
    return before.has(name) ? [] : [change(spot, 'added', `example ${name} is new`)];
  });
}

/** `spot.writer` is who responds. */
function compareResponses(versions: Versions, old: Node, now: Node, spot: Spot): Change[] {
  const [before, after] = [entries(old.responses), entries(now.responses)];
  return namesOf(before, after).flatMap((status) => {
    const at = inside(spot, `answer ${status}`);
    if (!after.has(status)) return [change(at, 'removed', 'status is gone')];
    if (!before.has(status)) return [change(at, 'added', 'status is new')];
    const one = resolve(versions.before, before.get(status));
    const two = resolve(versions.after, after.get(status));
    return [
      ...compareNamed(
        versions,
        headersOf(versions.before, one),
        headersOf(versions.after, two),
        inside(at, ', '),
      ),
      ...compareContents(versions, one, two, at),
    ];
  });
}

function headersOf(root: Root, response: Node): Map<string, Node> {
  return new Map(
    [...entries(response.headers)].map(([name, header]) => [
      `header ${name.toLowerCase()}`,
      resolve(root, header),
    ]),
  );
}

/** In a callback the service sends and the client responds. */
function compareCallbacks(versions: Versions, old: Node, now: Node, spot: Spot): Change[] {
  const before = callbacksOf(versions.before, old);
  const after = callbacksOf(versions.after, now);
  return namesOf(before, after).flatMap((name) => {
    const [one, two] = [before.get(name), after.get(name)];
    const at: Spot = { ...inside(spot, `callback ${name}, `), writer: 'service' };
    if (two === undefined) return [change(at, 'removed', 'is gone')];
    if (one === undefined) return [change(at, 'added', 'is new')];
    return compareOperations(versions, one, two, at);
  });
}

function callbacksOf(root: Root, operation: Node): Map<string, Node> {
  const callbacks = new Map<string, Node>();
  for (const [name, callback] of entries(operation.callbacks))
    for (const [address, item] of entries(resolve(root, callback)))
      for (const [method, called] of entries(resolve(root, item)))
        if (methods.includes(method)) callbacks.set(`${name} ${method} ${address}`, resolve(root, called));
  return callbacks;
}

/** A client that could call before must still be able to: one of today's alternatives asks for no more. */
function compareSecurity(old: Node, now: Node, spot: Spot): Change[] {
  const [before, after] = [alternativesOf(old), alternativesOf(now)];
  const at = inside(spot, 'security');
  const locksOut = before.some((held) => !after.some((asked) => isWithin(asked, held)));
  if (locksOut)
    return [change(at, 'narrowed', `${JSON.stringify(old.security)} → ${JSON.stringify(now.security)}`)];
  return [];
}

function alternativesOf({ security }: Node): Map<string, unknown>[] {
  const alternatives = list(security).map(entries);
  return alternatives.length === 0 ? [new Map()] : alternatives;
}

function isWithin(asked: ReadonlyMap<string, unknown>, held: ReadonlyMap<string, unknown>): boolean {
  return [...asked].every(
    ([scheme, scopes]) =>
      held.has(scheme) && list(scopes).every((scope) => list(held.get(scheme)).includes(scope)),
  );
}

/** How a client gets its credentials: the address and the scopes must stay. */
function compareCredentials(before: Root, after: Root): Change[] {
  const spot: Spot = { operation: 'security', place: '', writer: 'client' };
  const [old, now] = [credentialsOf(before), credentialsOf(after)];
  return [...old]
    .filter((credential) => !now.has(credential))
    .map((credential) => change(inside(spot, credential), 'removed', 'is gone'));
}

function credentialsOf(root: Root): Set<string> {
  const found = new Set<string>();
  const { securitySchemes } = resolve(root, root.components);
  for (const [name, scheme] of entries(securitySchemes)) {
    // How they are sent: in which header, or by which scheme of it.
    const { type, scheme: kind, in: place, name: as } = resolve(root, scheme);
    found.add(`${name} ${[type, kind, place, as].filter((word) => word !== undefined).join(' ')}`);
    for (const [flow, details] of entries(resolve(root, scheme).flows)) {
      const { tokenUrl, scopes } = resolve(root, details);
      found.add(`${name} ${flow} ${tokenUrl}`);
      for (const scope of entries(scopes).keys()) found.add(`${name} ${flow} ${scope}`);
    }
  }
  return found;
}
