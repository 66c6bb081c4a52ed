/** What a network sent that is not a message that we can read, word for word. */
import { createHash } from 'node:crypto';
import type { PhoneMessage, UnreadableText } from './phone-message.ts';

/** `said`: a text, or a value of JSON. `around`: who it is from and for, as far as that is known. */
export function unreadable(
  kind: UnreadableText['kind'],
  reason: UnreadableText['reason'],
  said: unknown,
  around: Partial<Pick<PhoneMessage, 'from' | 'userId' | 'to' | 'toId'>> = {},
): PhoneMessage {
  const text = typeof said === 'string' ? said : (JSON.stringify(said) ?? '');
  return {
    from: undefined,
    to: '',
    ...around,
    identity: hashOf([kind, text]),
    repeatedWithinSeconds: null,
    body: { unreadable: { kind, reason, text } },
  };
}

/** Of what a network gave no id: the same for the same value. */
export const hashOf = (value: unknown) =>
  createHash('sha256').update(JSON.stringify(value)).digest('base64url');
