/** Verifies a provider's callbacks and reads their reports. */
import { own } from '../../platform/text/own.ts';
import type { NetworkReport } from '../contract/connector.ts';
import type { Inbound } from '../contract/inbound.ts';
import { messageIdOf } from '../contract/reference.ts';
import { parseJson } from '../http/json.ts';
import { isSigned } from '../http/signature.ts';
import { type Disbursement, noFloat, verdictOf } from './disbursement.ts';
import { readDisbursement } from './documents.ts';
import type { BundleSettings } from './settings.ts';

export const bundlesInbound: Inbound<BundleSettings> = {
  signatureHeaders,
  verify: ({ headers, body }, settings, { callbackSecret }, nowMs) => {
    if (callbackSecret === undefined) return false;
    const [timestamp, signature] = signatureHeaders(settings).map((name) => own(headers, name));
    if (typeof timestamp !== 'string' || typeof signature !== 'string') return false;
    const ageMs = Math.abs(nowMs - millisecondsOf(timestamp));
    // An invalid timestamp is NaN, which is never within the tolerance.
    if (!(ageMs <= settings.timestampToleranceSeconds * 1000)) return false;
    return isSigned(signature, callbackSecret, `${timestamp}.`, body);
  },
  read: (body, settings) => {
    const disbursement = readDisbursement(
      parseJson(body.toString('utf8')),
      settings.names.callback,
      settings,
    );
    const messageId = messageIdOf(disbursement.reference, settings);
    const report = messageId === undefined ? undefined : reportOf(disbursement, messageId);
    if (report === undefined) return { reports: [] };
    const outOfFloat = report.refund === 'refused' && disbursement.reason.known === 'INSUFFICIENT_FLOAT';
    return { reports: [report], ...(outOfFloat ? { pause: noFloat } : {}) };
  },
};

function signatureHeaders({ timestampHeader, signatureHeader }: BundleSettings): string[] {
  return [timestampHeader.toLowerCase(), signatureHeader.toLowerCase()];
}

/** Seconds or milliseconds since 1970, or an RFC 3339 instant; NaN for any other text. */
function millisecondsOf(timestamp: string): number {
  if (!/^\d{1,16}$/.test(timestamp)) return Date.parse(timestamp);
  return Number(timestamp) * (timestamp.length > 11 ? 1 : 1000);
}

/** Undefined while nothing is final. */
function reportOf(disbursement: Disbursement, messageId: string): NetworkReport | undefined {
  const verdict = verdictOf(disbursement);
  if (verdict.kind === 'open') return undefined;
  const { transactionId, occurredAt, status } = disbursement;
  const at = new Date(occurredAt ?? Number.NaN);
  return {
    messageId,
    ...(transactionId === undefined ? {} : { networkId: transactionId }),
    ...(Number.isNaN(at.getTime()) ? {} : { occurredAt: at }),
    ...(verdict.kind === 'given'
      ? { state: 'Delivered' }
      : { ...verdict.refusal, refund: status === 'REVERSED' ? 'reversed' : 'refused' }),
  };
}
