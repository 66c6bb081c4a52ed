/** The responses that callers choose with the header Prefer: those that the document shows, by status and example. */
import { randomUUID } from 'node:crypto';
import { errorEntries } from '../../docs/errors/error-pages.ts';
import type { ContractDocument } from '../../http/contract/document.ts';
import { namingHeaders } from '../../http/errors.ts';
import type { ReadResponse } from '../../http/front/forward.ts';
import { errors } from '../../platform/errors.ts';
import { own } from '../../platform/text/own.ts';

/** Undefined: the header has no `code` or `example`. Throws a Rejection that lists what the operation has. */
export type PreferredResponse = (operation: string, prefer: string) => ReadResponse | undefined;

interface Shown {
  status: string;
  name: string;
  headers: Record<string, string>;
  body: Buffer;
}

export function createPreferredResponse(document: ContractDocument): PreferredResponse {
  const shown = shownByOperation(document);
  return (operation, prefer) => {
    const { code, example } = preferencesIn(prefer);
    if (code === undefined && example === undefined) return undefined;
    const all = shown.get(operation) ?? [];
    const ofStatus = all.filter(({ status }) => code === undefined || status === code);
    if (ofStatus.length === 0) throw unknown('code', code, new Set(all.map(({ status }) => status)));
    const found = ofStatus.find(({ name }) => example === undefined || name === example);
    if (found === undefined) throw unknown('example', example, new Set(ofStatus.map(({ name }) => name)));
    const { status, name, headers, body } = found;
    const applied = { 'preference-applied': `code=${status}, example=${name}` };
    return {
      status: Number(status),
      headers: { ...headers, ...applied, 'x-request-id': randomUUID() },
      body,
    };
  };
}

/** RFC 7240, with `;` between preferences too, as Prism reads it. */
function preferencesIn(header: string): { code?: string; example?: string } {
  const pairs = [...header.matchAll(/(?<=^|[,;])\s*(code|example)\s*=\s*"?([^\s",;]+)/gi)];
  // The first of several counts.
  return Object.fromEntries(pairs.reverse().map(([, name = '', value]) => [name.toLowerCase(), value]));
}

function unknown(preference: string, value: string | undefined, known: ReadonlySet<string>) {
  return errors.schemaViolation(
    `Prefer: the document has no response with ${preference}=${value} here. It has ${[...known].join(', ')}.`,
  );
}

interface Referable {
  $ref?: string;
}
interface DocumentedHeader extends Referable {
  required?: boolean;
  example?: unknown;
}
interface DocumentedResponse extends Referable {
  headers?: Record<string, DocumentedHeader>;
  content?: Record<string, { examples?: Record<string, { value: unknown }> }>;
}
interface DocumentedOperation {
  operationId: string;
  responses?: Record<string, DocumentedResponse>;
}

function shownByOperation({ published }: ContractDocument): ReadonlyMap<string, readonly Shown[]> {
  const components = published.components as unknown as Record<'responses' | 'headers', object>;
  const resolved = <T extends Referable>(kind: 'responses' | 'headers', one: T): T => {
    const name = one.$ref?.slice(one.$ref.lastIndexOf('/') + 1);
    return name === undefined ? one : ((own(components[kind] as Record<string, T>, name) ?? one) as T);
  };
  const headersOf = ({ headers = {} }: DocumentedResponse) =>
    Object.fromEntries(
      Object.entries(headers).flatMap(([name, header]) => {
        const { required, example } = resolved('headers', header);
        return required ? [[name.toLowerCase(), String(example)]] : [];
      }),
    );
  const entries = errorEntries(published as never);
  const errorHeaders = (status: string, name: string) => {
    const entry = entries.find(({ shown }) =>
      shown.some((one) => one.name === name && String(one.status) === status),
    );
    return entry && lowerCased({ ...entry.rejection.headers, ...namingHeaders(entry) });
  };
  const shownBy = ({ responses = {} }: DocumentedOperation): Shown[] =>
    Object.entries(responses).flatMap(([status, referable]) => {
      const response = resolved('responses', referable);
      return Object.entries(response.content ?? {}).flatMap(([type, { examples = {} }]) =>
        Object.entries(examples).map(([name, { value }]) => ({
          status,
          name,
          headers: { 'content-type': type, ...headersOf(response), ...errorHeaders(status, name) },
          body: Buffer.from(JSON.stringify(value)),
        })),
      );
    });
  const operations = Object.values(published.paths ?? {}).flatMap((item) => Object.values(item as object));
  return new Map(operations.map((one: DocumentedOperation) => [one.operationId, shownBy(one)]));
}

function lowerCased(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}
