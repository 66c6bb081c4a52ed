/** Normalises the ids of submit_sm_resp and of reports, which SMSCs may write in different ways. */
import type { SmppSettings } from '../settings.ts';

/** What must be done with the id of a report to get the one of the response. */
export type ReportIdRule = Pick<
  SmppSettings,
  'reportId' | 'reportIdIgnoresLeadingZeros' | 'reportIdIgnoresCase'
>;

const converted: Record<SmppSettings['reportId'], (id: string) => string> = {
  asIs: (id) => id,
  hexToDecimal: (id) => (/^[0-9a-f]+$/i.test(id) ? BigInt(`0x${id}`).toString() : id),
  decimalToHex: (id) => (/^\d+$/.test(id) ? BigInt(id).toString(16) : id),
};

/**
 * An id of a submit_sm_resp, as it is kept. Where one of the two is converted they are compared as numbers: case and
 * leading zeros of the other are not known.
 */
export function keptId(id: string, rule: ReportIdRule): string {
  const asNumber = rule.reportId !== 'asIs';
  const cased = asNumber || rule.reportIdIgnoresCase ? id.toLowerCase() : id;
  return asNumber || rule.reportIdIgnoresLeadingZeros ? cased.replace(/^0+(.)/, '$1') : cased;
}

/** The id in a report, in the form in which the response's was kept. */
export function reportedId(id: string, rule: ReportIdRule): string {
  return keptId(converted[rule.reportId](id), rule);
}
