/** The operations of the public API that have a rate limit, by the `x-limit` that the document gives them. */
import { loadDocument } from './document.ts';
import { operationsOf } from './operations.ts';
import type { LimitWords } from './words.ts';

export interface LimitedOperation extends LimitWords {
  operation: string;
}

/** In the order of the document. */
export function limitedOperations(): readonly LimitedOperation[] {
  return operationsOf(loadDocument().enforced).flatMap(({ operationId: operation, 'x-limit': limit }) =>
    limit === undefined ? [] : [{ operation, ...limit }],
  );
}
