/** The key of the link that a demo's start prints: who has it signs in with one click. */
import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { isOwnUrl } from '../../http/routes/own-machine.ts';

/** The address of the console that signs in to a demo; undefined where nobody signs in like that. `accessKey`: of its owner. */
export function demoConsoleLink(consoleUrl: string, accessKey: string | undefined): string | undefined {
  if (accessKey === undefined || !isOwnUrl(consoleUrl)) return undefined;
  return `${consoleUrl}/sign-in?${new URLSearchParams({ [demoKeyField]: keyOf(accessKey) }).toString()}`;
}

/** In the link's query and in the form. */
export const demoKeyField = 'key';

/** Whether it is the key of that link, judged in constant time. */
export function isDemoKey(written: string | null, accessKey: string): boolean {
  const digest = (value: string) => createHash('sha256').update(value).digest();
  return written !== null && timingSafeEqual(digest(written), digest(keyOf(accessKey)));
}

/** Who knows it cannot compute the access key. */
function keyOf(accessKey: string): string {
  return createHmac('sha256', accessKey).update('console').digest('base64url');
}
