/** Translates a provider's response about a disbursement into the outcome of the message. */
import type { NetworkState } from '../../model/states.ts';
import type { HandOver, QueryResult } from '../contract/connector.ts';

/** PENDING → SUBMITTED → SUCCESSFUL | FAILED | REJECTED | EXPIRED; SUCCESSFUL → REVERSED. */
export const statuses = [
  'PENDING',
  'SUBMITTED',
  'SUCCESSFUL',
  'FAILED',
  'REJECTED',
  'EXPIRED',
  'REVERSED',
] as const;
export type DisbursementStatus = (typeof statuses)[number];

export const businessCodes = [
  'INVALID_MSISDN',
  'WRONG_NETWORK',
  'PRODUCT_UNAVAILABLE',
  'RECENTLY_RECHARGED',
  'DUPLICATE_REFERENCE',
  'INSUFFICIENT_FLOAT',
] as const;
export type BusinessCode = (typeof businessCodes)[number];

/** Why a connector is paused whose provider is out of float. */
export const noFloat = 'The provider says INSUFFICIENT_FLOAT';

/** Why a provider did not disburse. */
export interface Reason {
  /** Undefined if there is no known reason. */
  known: BusinessCode | undefined;
  /** The provider's own code. */
  code: string | undefined;
  message: string | undefined;
}

export interface Disbursement {
  /** Undefined: a word that the settings do not know. */
  status: DisbursementStatus | undefined;
  /** The provider's id. */
  transactionId: string | undefined;
  reference: string | undefined;
  reason: Reason;
  /** RFC 3339, as the provider wrote it. */
  occurredAt: string | undefined;
}

/** The final state of a message that the provider rejected for this reason. */
const stateOfReason: { [C in BusinessCode]: NetworkState } = {
  INVALID_MSISDN: 'InvalidMsisdn',
  WRONG_NETWORK: 'InvalidMsisdn',
  PRODUCT_UNAVAILABLE: 'InvalidDenomination',
  RECENTLY_RECHARGED: 'Duplicated',
  DUPLICATE_REFERENCE: 'Duplicated',
  INSUFFICIENT_FLOAT: 'Failed',
};

export interface Refusal {
  state: NetworkState;
  reason: string;
  reasonCode?: string;
}

export function refusalOf({ known, code, message }: Reason, otherwise: string): Refusal {
  return {
    state: known === undefined ? 'Failed' : stateOfReason[known],
    reason: message ?? otherwise,
    ...(code === undefined ? {} : { reasonCode: code }),
  };
}

/** What a status means: nothing final yet, given, or not given (any more). */
export type Verdict = { kind: 'open' } | { kind: 'given' } | { kind: 'notGiven'; refusal: Refusal };

const verdicts: { [S in DisbursementStatus]: (reason: Reason) => Verdict } = {
  PENDING: () => ({ kind: 'open' }),
  SUBMITTED: () => ({ kind: 'open' }),
  SUCCESSFUL: () => ({ kind: 'given' }),
  FAILED: (reason) => notGiven(reason, 'The provider could not provision the bundle'),
  REJECTED: (reason) => notGiven(reason, 'The provider refused the bundle'),
  EXPIRED: (reason) => notGiven(reason, 'The bundle expired at the provider'),
  REVERSED: (reason) => notGiven(reason, 'The provider took the bundle back'),
};

function notGiven(reason: Reason, otherwise: string): Verdict {
  return { kind: 'notGiven', refusal: refusalOf(reason, otherwise) };
}

/** An unknown word is not final: a later response may be clearer. */
export function verdictOf({ status, reason }: Disbursement): Verdict {
  return status === undefined ? { kind: 'open' } : verdicts[status](reason);
}

/** The verdict as the outcome of handing the bundle over. */
export function handOverOf(disbursement: Disbursement): Extract<HandOver, QueryResult> {
  const verdict = verdictOf(disbursement);
  if (verdict.kind === 'notGiven') return { kind: 'rejected', ...verdict.refusal };
  return {
    kind: 'accepted',
    ...(disbursement.transactionId === undefined ? {} : { networkId: disbursement.transactionId }),
    ...(verdict.kind === 'given' ? { reports: ['Delivered'] as const } : {}),
  };
}
