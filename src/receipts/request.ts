/** The rule on a request's receiptRequest. Whether its host is private is judged when a receipt is posted. */
import { errors } from '../errors.ts';
import type { ReceiptRequest } from '../intake/plan.ts';
import { isHttpUrl } from '../url.ts';

const longestCorrelator = 100;
const longestUrl = 2048;

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
