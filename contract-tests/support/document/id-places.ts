/** Finds every place where a request names something by an id, so that a new one cannot be forgotten. */

/** What this file reads of an operation, with references followed. */
interface Operation {
  operationId: string;
  method: string;
  path: string;
  parameters?: { name: string; in: string }[];
  requestBody?: {
    content: Record<string, { schema?: object; examples?: Record<string, { value: unknown }> }>;
  };
}

export interface IdPlace {
  operationId: string;
  /** Such as `serviceId`. */
  name: string;
  in: 'path' | 'query' | 'body';
  /** Of a published request whose body has it; undefined: the operation has no body. */
  example?: string;
  /** Where in that body. */
  at?: string[];
}

const isId = (name: string) => /^id$|Id$|^inReplyTo$/.test(name);
/** How clients name their own requests: to search by one is to name somebody's. */
const correlator = 'correlator';
/** What networks and regulators call things: nobody's here. */
const ofOthers = (name: string) => name === 'settings' || name === 'registrations';

/** Throws where a body may have an id that no published request has. */
export function idPlacesOf({ operationId, path, parameters = [], requestBody }: Operation): IdPlace[] {
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => ({ name, in: 'path' as const }));
  const inQuery = parameters
    .filter((one) => one.in === 'query' && (isId(one.name) || one.name === correlator))
    .map(({ name }) => ({ name, in: 'query' as const }));
  const [media] = Object.values(requestBody?.content ?? {});
  const examples = Object.entries(media?.examples ?? {});
  const inBody = examples.flatMap(([example, { value }]) =>
    idsIn(value).map((at) => ({ name: at.at(-1) ?? '', in: 'body' as const, example, at })),
  );
  const shown = new Set(inBody.map(({ name }) => name));
  for (const name of propertiesOf(media?.schema))
    if (isId(name) && !shown.has(name)) throw new Error(`no published request of ${operationId} has ${name}`);
  const [first] = examples;
  const besides = [...inPath, ...inQuery].map((place) =>
    first === undefined ? place : { ...place, example: first[0] },
  );
  return [...besides, ...inBody].map((place) => ({
    operationId,
    ...place,
  }));
}

/** The body with another value at the place. */
export function withId(body: unknown, at: readonly string[], id: string): unknown {
  const copy = structuredClone(body);
  // biome-ignore lint/suspicious/noExplicitAny: bodies have every shape.
  const owner = at.slice(0, -1).reduce((inner: any, name) => inner[name], copy);
  owner[at.at(-1) ?? ''] = id;
  return copy;
}

function idsIn(value: unknown, at: string[] = []): string[][] {
  if (value === null || typeof value !== 'object') return isId(at.at(-1) ?? '') ? [at] : [];
  const own = Object.entries(value).filter(([name]) => !ofOthers(name));
  return own.flatMap(([name, inner]) => idsIn(inner, [...at, name]));
}

/** All names of properties, also of variants and of items. */
function propertiesOf(schema: unknown): string[] {
  if (schema === null || typeof schema !== 'object') return [];
  return Object.entries(schema).flatMap(([keyword, inner]) =>
    keyword === 'properties'
      ? Object.entries(inner).flatMap(([name, its]) => (ofOthers(name) ? [] : [name, ...propertiesOf(its)]))
      : ['oneOf', 'anyOf', 'allOf', 'items'].includes(keyword)
        ? (Array.isArray(inner) ? inner : [inner]).flatMap(propertiesOf)
        : [],
  );
}
