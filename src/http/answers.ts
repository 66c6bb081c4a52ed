/** Checks our own answers against the contract before they are sent. */
import type { ValidateFunction } from 'ajv';
import type { Operation } from 'openapi-backend';
import type { OperationId, Reply } from './operation.ts';
import { createAjv } from './schemas.ts';

interface DocumentedResponse {
  content?: { 'application/json'?: { schema?: object } };
}

/** What to do about an answer that its operation does not document; `fault` says where it differs. */
export type OnUndocumented = (operationId: string, fault: string) => void;

/**
 * `operations` are dereferenced. `share` of the answers are looked at: 1 all, 0.01 one in a hundred. Of one with
 * a status or a body that is not documented `onUndocumented` is told; if that throws, clients see 500.
 */
export function createAnswerCheck(
  operations: readonly Operation[],
  share: number,
  onUndocumented: OnUndocumented,
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
    if (validate === undefined) return onUndocumented(operationId, `status ${status}`);
    if (validate(body)) return;
    const [fault] = validate.errors ?? [];
    onUndocumented(operationId, `${status} ${fault?.instancePath} ${fault?.message}`);
  };
}
