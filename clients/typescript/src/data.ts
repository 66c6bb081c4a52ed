/** Mobile-data bundles: turns what a caller writes into one of the two modes of the API. */
import type { components } from './openapi.d.ts';
import type { Body, Result } from './operations.ts';
import {
  listOf,
  type ReceiptTarget,
  receiptRequestOf,
  type SendTime,
  scheduleOf,
  type To,
} from './receipt-request.ts';

export type Denomination = components['schemas']['Denomination'];

interface OneBundle {
  to: To;
  denomination: Denomination;
  /** An SMS to each recipient whose bundle was delivered. */
  text?: string | undefined;
  disbursements?: undefined;
}

interface OwnBundles {
  /** A bundle for each recipient, and an SMS once it was delivered. */
  disbursements: readonly { to: string; denomination: Denomination; text?: string | undefined }[];
  to?: undefined;
  denomination?: undefined;
  text?: undefined;
}

/** The same bundle for all recipients, or for each its own. */
export type DataRequest = {
  campaign: string;
  /** The service that sends the texts; the campaign's own by default. */
  smsService?: string | undefined;
} & ReceiptTarget &
  SendTime &
  (OneBundle | OwnBundles);

export type DataResponse = Result<'disburseMobileData'>;

export function dataBody(request: DataRequest): Body<'disburseMobileData'> {
  const common = { ...receiptRequestOf<ReceiptTarget>(request), ...scheduleOf(request) };
  const serviceSelection: components['schemas']['ServiceSelection'] =
    request.smsService === undefined
      ? { type: 'DefaultService' }
      : { type: 'SelfService', serviceId: request.smsService };
  if (request.disbursements === undefined) {
    const { to, denomination, text } = request;
    const messaging = text === undefined ? {} : { messaging: { message: text, serviceSelection } };
    return { type: 'SendToMany', phones: listOf(to), denomination, ...messaging, ...common };
  }
  const disbursements = request.disbursements.map(({ to, denomination, text }) => ({
    phone: to,
    denomination,
    ...(text === undefined ? {} : { message: text }),
  }));
  const texts = request.disbursements.some(({ text }) => text !== undefined);
  const messaging = texts ? { messaging: { serviceSelection } } : {};
  return { type: 'SendToEach', disbursements, ...messaging, ...common };
}
