/** Fills a template for all recipients of a request, or rejects the request with every parameter fault. */
import { errors } from '../../platform/errors.ts';

export type Filled<Value> = { value: Value } | { faults: readonly (string | object)[] };

interface Recipient<Content> {
  /** The number as the client wrote it. */
  written: string;
  content: Content;
}

/**
 * One value for each recipient, in their order. each: `fill` is called for every one, and faults are listed under
 * the recipient as the client wrote it. many: all share the value of the first one, and faults are listed under
 * `errors`.
 */
export function fillAll<Content, Value>(
  audience: 'each' | 'many',
  recipients: readonly Recipient<Content>[],
  fill: (content: Content) => Filled<Value>,
): Value[] {
  return audience === 'many' ? fillShared(recipients, fill) : fillOwn(recipients, fill);
}

function fillShared<Content, Value>(
  recipients: readonly Recipient<Content>[],
  fill: (content: Content) => Filled<Value>,
): Value[] {
  const [first] = recipients;
  if (first === undefined) return [];
  const filled = fill(first.content);
  if ('faults' in filled) throw errors.invalidParameters({ errors: filled.faults });
  return recipients.map(() => filled.value);
}

function fillOwn<Content, Value>(
  recipients: readonly Recipient<Content>[],
  fill: (content: Content) => Filled<Value>,
): Value[] {
  // Keys are clients' input: a Map, because `__proto__` must be a key like any other.
  const faults = new Map<string, (string | object)[]>();
  const values: Value[] = [];
  for (const { written, content } of recipients) {
    const filled = fill(content);
    if ('value' in filled) values.push(filled.value);
    else faults.set(written, [...(faults.get(written) ?? []), ...filled.faults]);
  }
  if (faults.size > 0) throw errors.invalidParameters(Object.fromEntries(faults));
  return values;
}
