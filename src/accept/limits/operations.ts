/** The operations of the public API that have a rate limit, by the `x-limit` that the document gives them. */
import { publicDocument, readDocument } from '../../platform/document.ts';

/** `x-limit` of an operation. */
export interface LimitedOperation {
  operation: string;
  /** A call counts once, or as many times as it has recipients. */
  counts: 'recipients' | 'calls';
  /** What is counted, as in the error. */
  noun: string;
  /** Per team, unless the setting has another number. */
  perSecond: number;
  setting?: string;
}

type Operations = Record<string, { operationId: string; 'x-limit'?: Omit<LimitedOperation, 'operation'> }>;

let known: readonly LimitedOperation[] | undefined;

/** In the order of the document. */
export function limitedOperations(): readonly LimitedOperation[] {
  if (known !== undefined) return known;
  const { paths } = readDocument(publicDocument).tree as unknown as { paths: Record<string, Operations> };
  known = Object.values(paths)
    .flatMap((item) => Object.values(item))
    .flatMap(({ operationId: operation, 'x-limit': limit }) =>
      limit === undefined ? [] : [{ operation, ...limit }],
    );
  return known;
}
