/** The rule on a request's receiptRequest. Where the name of its host leads is judged when a receipt is posted. */

import type { ReceiptRequest } from '../model/plan.ts';
import { remembered } from '../platform/concurrency/remembered.ts';
import { errors } from '../platform/errors.ts';
import { originOf } from '../receipts/callback/callback-url.ts';
import type { Destinations } from '../receipts/callback/destination.ts';

const longestCorrelator = 100;
/** Clients name the same few URLs in all their requests. */
const urlsRemembered = 1_000;

/** Throws errors.invalidCorrelator, callbackUrl or callbackAddress; an absent object requests nothing. */
export type CheckReceiptRequest = (request: ReceiptRequest | undefined) => ReceiptRequest;

export function createReceiptRequestCheck({
  urlRefusal,
}: Pick<Destinations, 'urlRefusal'>): CheckReceiptRequest {
  /** Throws for a URL that is not good; only good ones, which are short, are remembered. */
  const requireGood = remembered(urlsRemembered, (callbackUrl: string): true => {
    if (originOf(callbackUrl) === undefined) throw errors.invalidCallbackUrl();
    if (urlRefusal(callbackUrl) !== undefined) throw errors.forbiddenCallbackAddress();
    return true;
  });
  return (request) => {
    const { correlator, callbackUrl } = request ?? {};
    if (correlator !== undefined && (correlator === '' || [...correlator].length > longestCorrelator))
      throw errors.invalidCorrelator();
    if (callbackUrl !== undefined) requireGood(callbackUrl);
    return {
      ...(correlator === undefined ? {} : { correlator }),
      ...(callbackUrl === undefined ? {} : { callbackUrl }),
    };
  };
}
