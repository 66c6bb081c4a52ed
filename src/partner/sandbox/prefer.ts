/** The responses that callers choose with the header Prefer: those that the document shows, by status and example. */
import { randomUUID } from 'node:crypto';
import type { ContractDocument } from '../../contract/document.ts';
import { responseExamples } from '../../contract/examples.ts';
import type { Response } from '../../contract/types.ts';
import { errorEntries } from '../../docs/errors/error-pages.ts';
import { namingHeaders } from '../../http/errors.ts';
import type { ReadResponse } from '../../http/front/forward.ts';
import { errors } from '../../platform/errors.ts';

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

function shownByOperation({ published }: ContractDocument): ReadonlyMap<string, readonly Shown[]> {
  const entries = errorEntries(published);
  const errorHeaders = (status: string, name: string) => {
    const entry = entries.find(({ shown }) =>
      shown.some((one) => one.name === name && String(one.status) === status),
    );
    return entry && lowerCased({ ...entry.rejection.headers, ...namingHeaders(entry) });
  };
  const byOperation = new Map<string, Shown[]>();
  for (const { operation, status, name, mediaType, response, value } of responseExamples(published)) {
    const headers = {
      'content-type': mediaType,
      ...requiredHeaders(response),
      ...errorHeaders(status, name),
    };
    const shown = byOperation.get(operation.operationId) ?? [];
    shown.push({ status, name, headers, body: Buffer.from(JSON.stringify(value)) });
    byOperation.set(operation.operationId, shown);
  }
  return byOperation;
}

/** With the document's examples. */
function requiredHeaders({ headers = {} }: Response): Record<string, string> {
  const required = Object.entries(headers).filter(([, header]) => header.required);
  return lowerCased(Object.fromEntries(required.map(([name, { example }]) => [name, String(example)])));
}

function lowerCased(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}
