/** Checks our own answers against the contract before they are sent. */
import type { ValidateFunction } from 'ajv';
import type { Operation } from 'openapi-backend';
import type { OperationId, Reply } from './operation.ts';
import { createAjv } from './schemas.ts';

interface DocumentedResponse {
  content?: { 'application/json'?: { schema?: object } };
}

/**
 * `operations` are dereferenced. The check throws an Error, which clients see as 500, when an answer has a
 * status or a body that its operation does not document. `share` of the answers are looked at: 1 all, 0.01
 * one in a hundred.
 */
export function createAnswerCheck(
  operations: readonly Operation[],
  share: number,
): (operationId: string, answer: Reply<OperationId>) => void {
  const ajv = createAjv();
  const validators = new Map<string, ValidateFunction>();
  for (const { operationId, responses } of operations) {
    for (const [status, response] of Object.entries(responses ?? {})) {
      const schema = (response as DocumentedResponse).content?.['application/json']?.schema;
      if (schema !== undefined) validators.set(`${operationId} ${status}`, ajv.compile(schema));
    }
  }
  let due = 0;
  return (operationId, { status, body }) => {
    due += share;
    if (due < 1) return;
    due -= 1;
    const validate = validators.get(`${operationId} ${status}`);
    if (validate === undefined) throw new Error(`${operationId} answers the undocumented status ${status}`);
    if (validate(body)) return;
    const [fault] = validate.errors ?? [];
    throw new Error(`${operationId} ${status} breaks the contract: ${fault?.instancePath} ${fault?.message}`);
  };
}
