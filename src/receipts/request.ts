/** The rule on a request's receiptRequest. Whether its host is private is judged when a receipt is posted. */
import { errors } from '../errors.ts';
import type { ReceiptRequest } from '../intake/plan.ts';

const longestCorrelator = 100;
const longestUrl = 2048;

/** RFC 3986, 3.2 to 3.5, without user information. What stands in the brackets is left to the URL parser. */
const uriCharacter = "(?:[\\w\\-.~!$&'()*+,;=]|%[0-9A-Fa-f]{2})";
const httpUri = new RegExp(
  `^https?://(?:\\[[0-9A-Fa-f:.]+\\]|${uriCharacter}+)(?::\\d*)?` +
    `(?:/(?:${uriCharacter}|[:@])*)*(?:\\?(?:${uriCharacter}|[:@/?])*)?(?:#(?:${uriCharacter}|[:@/?])*)?$`,
  'i',
);

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
  return text.length <= longestUrl && isHttpUrl(text);
}

/** An absolute http or https URL without user information. */
export function isHttpUrl(text: string): boolean {
  return httpUri.test(text) && URL.canParse(text);
}
