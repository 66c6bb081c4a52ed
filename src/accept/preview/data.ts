/** Shows the plan of a disbursement: each bundle with its SMS, and repeats that the campaign will not allow. */
import type { FindOptedOut } from '../../products/consent/opt-out.ts';
import type { DisburseData } from '../../products/data/command.ts';
import type { DataFacts } from '../../products/data/facts.ts';
import { duplicated, type Grant } from '../../products/data/frequency.ts';
import type { AcceptedData } from '../../products/data/plan.ts';
import type { Judged, JudgedRecipient, Problem } from './judge.ts';
import { findOptOuts } from './opt-outs.ts';
import type { View } from './preview.ts';
import { type ShownText, type SplitBy, textOf } from './sms.ts';

/** The grants of phones under a campaign; empty if the campaign does not limit how often. */
export type LoadGrants = (
  campaignId: string,
  phones: readonly string[],
) => Promise<ReadonlyMap<string, Grant>>;

export interface ShownBundle {
  written: string;
  phone?: string;
  channel?: string;
  denomination?: string;
  units?: number;
  /** The SMS that follows the bundle. */
  message?: ShownText;
}

const withoutSms = 'The recipient opted out of the SMS: the bundle would be given without it.';

const code = 'duplicated';
const repeats: { [G in Grant]: Problem | undefined } = {
  open: undefined,
  used: { code, desc: `${duplicated.reason}.` },
  claimed: { code, desc: 'Another bundle of this campaign is on its way to the recipient.' },
};

export function dataView(
  loadSplit: () => Promise<SplitBy>,
  loadGrants: LoadGrants,
  find: FindOptedOut,
): View<DisburseData, DataFacts, AcceptedData, ShownBundle> {
  return {
    operation: 'previewMobileData',
    variantOf:
      () =>
      ({ product, channel, content }) =>
        product === 'data' ? `${channel}/${content}` : '',
    show: async (judged, { channels }, { campaignId }) => {
      const [splitBy, repeatOf, optOutOf] = await Promise.all([
        loadSplit(),
        findRepeats(judged, campaignId, loadGrants),
        findOptOuts(judged.plan, find, withoutSms),
      ]);
      return judged.recipients.map((recipient) => {
        const { written, phone, messages, problems } = recipient;
        const [bundle, sms] = messages;
        const repeat = repeatOf(recipient);
        return {
          written,
          ...(phone === undefined ? {} : { phone }),
          ...(bundle === undefined
            ? {}
            : { channel: bundle.channel, denomination: bundle.content, units: bundle.units }),
          ...(sms === undefined ? {} : { message: textOf(sms, channels, splitBy) }),
          problems: [...problems, ...(repeat === undefined ? [] : [repeat]), ...optOutOf(recipient)],
        };
      });
    },
  };
}

/** A phone's first entry is judged by what it had before, every later one by the entry before it. */
async function findRepeats(
  { recipients }: Judged<AcceptedData>,
  campaignId: string,
  loadGrants: LoadGrants,
): Promise<(recipient: JudgedRecipient) => Problem | undefined> {
  const first = new Map<string, JudgedRecipient>();
  for (const recipient of recipients) {
    const [bundle] = recipient.messages;
    if (bundle !== undefined && !first.has(bundle.phone)) first.set(bundle.phone, recipient);
  }
  const grants = await loadGrants(campaignId, [...first.keys()]);
  return (recipient) => {
    const phone = recipient.messages[0]?.phone ?? '';
    const grant = grants.get(phone);
    if (grant === undefined) return undefined;
    return repeats[grant === 'open' && first.get(phone) !== recipient ? 'claimed' : grant];
  };
}
