/** A provider's callbacks: whether they are the provider's, and what they report. */
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { NetworkReport } from '../connector.ts';
import type { Inbound } from '../inbound.ts';
import { messageIdOf } from '../reference.ts';
import { type Disbursement, noFloat, verdictOf } from './disbursement.ts';
import { readDisbursement } from './documents.ts';
import type { BundleSettings } from './settings.ts';

export const bundlesInbound: Inbound<BundleSettings> = {
  verify: ({ headers, body }, settings, { callbackSecret }, nowMs) => {
    if (callbackSecret === undefined) return false;
    const timestamp = headers[settings.timestampHeader.toLowerCase()];
    const signature = headers[settings.signatureHeader.toLowerCase()];
    if (typeof timestamp !== 'string' || typeof signature !== 'string') return false;
    const ageMs = Math.abs(nowMs - millisecondsOf(timestamp));
    // NaN, of a timestamp that is none, is not within the tolerance either.
    if (!(ageMs <= settings.timestampToleranceSeconds * 1000)) return false;
    const expected = createHmac('sha256', callbackSecret).update(`${timestamp}.`).update(body).digest();
    const given = Buffer.from(/^sha256=([0-9a-f]{64})$/i.exec(signature)?.[1] ?? '', 'hex');
    return given.length === expected.length && timingSafeEqual(given, expected);
  },
  read: (body, settings) => {
    const disbursement = readDisbursement(parsed(body), settings.names.callback, settings);
    const messageId = messageIdOf(disbursement.reference, settings);
    const report = messageId === undefined ? undefined : reportOf(disbursement, messageId);
    if (report === undefined) return { reports: [] };
    const outOfFloat = report.refund === 'refused' && disbursement.reason.known === 'INSUFFICIENT_FLOAT';
    return { reports: [report], ...(outOfFloat ? { pause: noFloat } : {}) };
  },
};

/** Seconds or milliseconds since 1970, or an RFC 3339 instant; NaN when it is none. */
function millisecondsOf(timestamp: string): number {
  if (!/^\d{1,16}$/.test(timestamp)) return Date.parse(timestamp);
  return Number(timestamp) * (timestamp.length > 11 ? 1 : 1000);
}

function parsed(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    return undefined;
  }
}

/** Undefined while nothing is final. */
export function reportOf(disbursement: Disbursement, messageId: string): NetworkReport | undefined {
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
