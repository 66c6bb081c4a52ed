/** The rule on a request's receiptRequest. Whether its host is private is judged when a receipt is posted. */
import { errors } from '../errors.ts';
import type { ReceiptRequest } from '../intake/plan.ts';

const longestCorrelator = 100;
const longestUrl = 2048;
/** The characters that RFC 3986 knows, and percent signs only before two hexadecimal digits. */
const uriCharacters = /^(?:[\w\-.~:/?#[\]@!$&'()*+,;=]|%[0-9A-Fa-f]{2})+$/;

/** Throws errors.correlator or errors.callbackUrl; an absent object asks for nothing. */
export function checkReceiptRequest(request: ReceiptRequest | undefined): ReceiptRequest {
  const { correlator, callbackUrl } = request ?? {};
  if (correlator !== undefined && (correlator === '' || [...correlator].length > longestCorrelator))
    throw errors.correlator();
  if (callbackUrl !== undefined && !isCallbackUrl(callbackUrl)) throw errors.callbackUrl();
  return {
    ...(correlator === undefined ? {} : { correlator }),
    ...(callbackUrl === undefined ? {} : { callbackUrl }),
  };
}

function isCallbackUrl(text: string): boolean {
  if (text.length > longestUrl || !uriCharacters.test(text) || !/^https?:\/\/[^/]/i.test(text)) return false;
  if (!URL.canParse(text)) return false;
  const { username, password, hostname } = new URL(text);
  return username === '' && password === '' && hostname !== '' && !/^[^/]*\/\/[^/?#]*@/.test(text);
}
