/** Reads the header Prefer: which response a caller wants, and which receipts. */
import type { ContractDocument } from '../http/contract/document.ts';
import { products } from '../products.ts';

export interface Preference {
  /** Undefined: the response that fits the request. */
  response: { code: string | undefined; example: string | undefined; dynamic: boolean } | undefined;
  /** The state that the receipts end in. */
  receipt: string | undefined;
}

/** The examples of an operation's responses, by status. */
export type Examples = ReadonlyMap<string, readonly string[]>;

/** States that receipts of each operation can end in. */
const receiptStates: Readonly<Record<string, readonly string[]>> = Object.fromEntries(
  Object.values(products).map(({ operation, announcedSteps, finalStates }) => [
    operation,
    [...announcedSteps, ...finalStates],
  ]),
);

/** What is wrong, for people. */
export class UnknownPreference extends Error {}

/** Throws UnknownPreference for a status, example or state that the operation does not have. */
export function readPreference(
  header: string | undefined,
  operation: string,
  examples: Examples,
): Preference {
  const given = new Map(
    (header ?? '').split(/[,;]/).map((one) => {
      const [name = '', ...value] = one.split('=');
      return [
        name.trim().toLowerCase(),
        value
          .join('=')
          .trim()
          .replace(/^"(.*)"$/, '$1'),
      ];
    }),
  );
  const code = given.get('code');
  const example = given.get('example');
  const dynamic = given.get('dynamic') === 'true';
  const receipt = given.get('receipt');
  requireKnown(`${operation} has no receipt with the state`, receipt, receiptStates[operation] ?? []);
  requireKnown(`${operation} has no response with the status`, code, [...examples.keys()]);
  const status = code ?? statusOf(example, examples) ?? '200';
  requireKnown(`the response ${status} of ${operation} has no example`, example, examples.get(status) ?? []);
  const asks = code !== undefined || example !== undefined || dynamic;
  return {
    response: asks ? { code: example === undefined ? code : status, example, dynamic } : undefined,
    receipt,
  };
}

/** As Prism takes it. */
export function preferHeaderOf({ code, example, dynamic }: NonNullable<Preference['response']>): string {
  return [
    ...(code === undefined ? [] : [`code=${code}`]),
    ...(example === undefined ? [] : [`example=${example}`]),
    ...(dynamic ? ['dynamic=true'] : []),
  ].join(', ');
}

/** By operationId. */
export function examplesOf({ published }: ContractDocument): ReadonlyMap<string, Examples> {
  const operations = Object.values(published.paths ?? {}).flatMap((item) => Object.values(item as object));
  return new Map(
    operations.map(({ operationId, responses = {} }: DocumentedOperation) => [
      operationId,
      new Map(
        Object.entries(responses).map(([status, response]) => [
          status,
          Object.values(resolve(published, response).content ?? {}).flatMap(({ examples = {} }) =>
            Object.keys(examples),
          ),
        ]),
      ),
    ]),
  );
}

interface DocumentedOperation {
  operationId: string;
  responses?: Record<string, { $ref?: string } & DocumentedResponse>;
}
interface DocumentedResponse {
  content?: Record<string, { examples?: object }>;
}

function resolve(
  { components }: ContractDocument['published'],
  response: { $ref?: string } & DocumentedResponse,
): DocumentedResponse {
  const name = response.$ref?.slice(response.$ref.lastIndexOf('/') + 1);
  return name === undefined
    ? response
    : ((components?.responses as unknown as Record<string, DocumentedResponse>)[name] ?? {});
}

/** Of the response that has this example; 2xx first. */
function statusOf(example: string | undefined, examples: Examples): string | undefined {
  return [...examples].find(([, names]) => example !== undefined && names.includes(example))?.[0];
}

function requireKnown(what: string, value: string | undefined, known: readonly string[]): void {
  if (value === undefined || known.includes(value)) return;
  const choice = known.length === 0 ? 'It has none.' : `It has ${known.join(', ')}.`;
  throw new UnknownPreference(`Prefer: ${what} ${value}. ${choice}`);
}
