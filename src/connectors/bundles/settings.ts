/** The settings of a bundle provider: its addresses and its names for properties and values. */
import type { SettingsSchema } from '../contract/kind.ts';
import { allowPlainHttp } from '../http/transport.ts';
import { httpUrl, referencePrefix, whole } from '../runtime/setting-rules.ts';
import { type BusinessCode, businessCodes, type DisbursementStatus, statuses } from './disbursement.ts';

/** A provider's own code of a product, or the amount it gives. */
export type ProviderProduct =
  | { code: string }
  | { code?: never; value: number; unit: string; validity?: string };

/** Dotted names of values in the provider's documents; of several with `|` between them the first that holds one. */
interface ResponseNames {
  transactionId: string;
  reference: string;
  status: string;
  reasonCode: string;
  reasonMessage: string;
  occurredAt: string;
}

export interface BundleSettings {
  baseUrl: string;
  /** Accepts an http: baseUrl of another machine. */
  allowPlainHttp: boolean;
  disbursePath: string;
  /** Queried with the reference in the query string. */
  queryPath: string;
  queryParameter: string;
  timeoutSeconds: number;
  /** Exchanges at once. */
  concurrency: number;
  referencePrefix: string;
  msisdn: 'digits' | 'plus';
  campaign?: string;
  callbackUrl?: string;
  /** By denomination; undefined: the provider knows our denominations as product codes. */
  products?: Readonly<Record<string, ProviderProduct>>;
  /** More values of every request, by dotted name. */
  constants: Readonly<Record<string, unknown>>;
  names: {
    request: {
      reference: string;
      msisdn: string;
      code: string;
      value: string;
      unit: string;
      validity: string;
      campaign: string;
      callbackUrl: string;
    };
    response: ResponseNames;
    callback: ResponseNames;
  };
  /** The provider's words for statuses and reasons, beside our own. */
  statuses: Readonly<Record<string, DisbursementStatus>>;
  reasons: Readonly<Record<string, BusinessCode>>;
  idempotencyHeader: string;
  timestampHeader: string;
  signatureHeader: string;
  timestampToleranceSeconds: number;
}

const text = (fallback?: string) => ({
  type: 'string',
  minLength: 1,
  ...(fallback === undefined ? {} : { default: fallback }),
});
const path = (fallback: string) => ({ type: 'string', pattern: '^/[^\\s?#]*$', default: fallback });
const header = (fallback: string) => ({ type: 'string', pattern: '^[A-Za-z0-9-]+$', default: fallback });
const object = (properties: object) => ({
  type: 'object',
  default: {},
  additionalProperties: false,
  properties,
});
const words = (values: readonly string[]) => ({
  type: 'object',
  default: {},
  additionalProperties: { type: 'string', enum: values },
});
const responseNames = {
  transactionId: text('transactionId'),
  reference: text('externalReference'),
  status: text('status'),
  reasonCode: text('reason.code|code|error.code'),
  reasonMessage: text('reason.message|message|error.message'),
  occurredAt: text('occurredAt|completedAt'),
};

export const bundleSettingsSchema: SettingsSchema = {
  required: ['baseUrl'],
  properties: {
    baseUrl: httpUrl,
    allowPlainHttp,
    disbursePath: path('/v1/disbursements'),
    queryPath: path('/v1/disbursements'),
    queryParameter: text('externalReference'),
    timeoutSeconds: whole(1, 10, 8),
    concurrency: whole(1, 64, 8),
    referencePrefix,
    msisdn: { type: 'string', enum: ['digits', 'plus'], default: 'digits' },
    campaign: text(),
    callbackUrl: httpUrl,
    products: {
      type: 'object',
      minProperties: 1,
      additionalProperties: {
        type: 'object',
        additionalProperties: false,
        properties: {
          code: text(),
          value: { type: 'number', exclusiveMinimum: 0 },
          unit: text(),
          validity: text(),
        },
        oneOf: [{ required: ['code'] }, { required: ['value', 'unit'] }],
      },
    },
    constants: { type: 'object', default: {} },
    names: object({
      request: object({
        reference: text('externalReference'),
        msisdn: text('msisdn'),
        code: text('product.code'),
        value: text('amount.value'),
        unit: text('amount.unit'),
        validity: text('amount.validity'),
        campaign: text('campaign'),
        callbackUrl: text('callbackUrl'),
      }),
      response: object(responseNames),
      callback: object(responseNames),
    }),
    statuses: words(statuses),
    reasons: words(businessCodes),
    idempotencyHeader: header('Idempotency-Key'),
    timestampHeader: header('X-Timestamp'),
    signatureHeader: header('X-Signature'),
    timestampToleranceSeconds: whole(10, 3600, 300),
  },
};
