/** Writes requests to a bundle provider and reads its responses, with the property names from the settings. */
import { own } from '../../platform/text/own.ts';
import type { OutboundMessage } from '../contract/connector.ts';
import { referenceOf } from '../contract/reference.ts';
import { documentOf, firstAt } from '../http/fields.ts';
import { businessCodes, type Disbursement, statuses } from './disbursement.ts';
import type { BundleSettings } from './settings.ts';

/**
 * The body that asks for a bundle; undefined when the provider has no product for the denomination. The same for
 * the same message, whenever it is written, as long as the settings are the same.
 */
export function disbursementRequest(message: OutboundMessage, settings: BundleSettings): object | undefined {
  const { names, products, number, campaign, callbackUrl, constants } = settings;
  const product = products === undefined ? { code: message.content } : own(products, message.content);
  if (product === undefined) return undefined;
  const name = names.request;
  return documentOf([
    ...Object.entries(constants),
    [name.reference, referenceOf(message, settings)],
    [name.msisdn, number === 'plus' ? message.phone : message.phone.replace('+', '')],
    ...('code' in product
      ? ([[name.code, product.code]] as const)
      : ([
          [name.value, product.value],
          [name.unit, product.unit],
          [name.validity, product.validity],
        ] as const)),
    [name.campaign, campaign],
    [name.callbackUrl, callbackUrl],
  ]);
}

/** Reads a response or a callback; `document` may be anything. */
export function readDisbursement(
  document: unknown,
  names: BundleSettings['names']['response'],
  settings: BundleSettings,
): Disbursement {
  const status = firstAt(document, names.status);
  const code = firstAt(document, names.reasonCode);
  return {
    status: status === undefined ? undefined : known(statuses, settings.statuses, status),
    transactionId: firstAt(document, names.transactionId),
    reference: firstAt(document, names.reference),
    reason: {
      known: code === undefined ? undefined : known(businessCodes, settings.reasons, code),
      code,
      message: firstAt(document, names.reasonMessage),
    },
    occurredAt: firstAt(document, names.occurredAt),
  };
}

/** Each of our own words maps to itself unless the settings say otherwise. */
function known<Word extends string>(
  words: readonly Word[],
  settings: Readonly<Record<string, Word>>,
  written: string,
): Word | undefined {
  return own(settings, written) ?? words.find((word) => word === written);
}
