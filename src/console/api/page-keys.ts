/** Keys with which the pages of the console call the management API as their readers, each while its page is made. */
import { randomBytes } from 'node:crypto';
import { bearerToken, type Credentials } from '../../access/authentication.ts';
import { type Operator, requirePermission } from '../../manage/access/permissions.ts';

export interface PageKeys {
  /** Valid until it is withdrawn, in this process. */
  issue: (operator: Operator) => string;
  withdraw: (key: string) => void;
  /** The operator, if the credentials are such a key. Throws a 403, and what `admitCall` throws. */
  operatorOf: (credentials: Credentials) => Operator | undefined;
}

/** `admitCall` throws while the user may not call. */
export function createPageKeys(admitCall: (userId: string) => void): PageKeys {
  const operators = new Map<string, Operator>();
  return {
    issue: (operator) => {
      const key = randomBytes(32).toString('base64url');
      operators.set(key, operator);
      return key;
    },
    withdraw: (key) => void operators.delete(key),
    operatorOf: ({ authorization, scope }) => {
      const operator = operators.get(bearerToken(authorization) ?? '');
      if (operator === undefined) return undefined;
      admitCall(operator.userId);
      if (scope !== undefined) requirePermission(operator, scope);
      return operator;
    },
  };
}
