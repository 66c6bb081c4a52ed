/** Shows the plan of an SMS request: each text, and how its network's connector will submit it. */
import type { Split } from '../../connectors/contract/kind.ts';
import type { PlannedMessage } from '../../model/plan.ts';
import type { FindOptedOut } from '../../products/consent/opt-out.ts';
import { type ChannelTable, firstConnector } from '../../products/phone/channels.ts';
import type { SendSms } from '../../products/sms/command.ts';
import type { SmsFacts } from '../../products/sms/facts.ts';
import type { AcceptedSms } from '../../products/sms/plan.ts';
import { findOptOuts } from './opt-outs.ts';
import type { View } from './preview.ts';
import { leavingOf } from './quiet-hours.ts';

/** What becomes of a message to somebody who opted out. */
export const notSubmitted =
  'The recipient opted out: the message would not be submitted, and its units would be refunded.';

/** How the connector of that name submits a text now. */
export type SplitBy = (connector: string | undefined, text: string) => Split;

export interface ShownText extends Split {
  text: string;
  units: number;
}

export interface ShownSms extends Partial<ShownText> {
  written: string;
  phone?: string;
  channel?: string;
  scheduledFor?: string;
}

export function smsView(
  loadSplit: () => Promise<SplitBy>,
  find: FindOptedOut,
): View<SendSms, SmsFacts, AcceptedSms, ShownSms> {
  return {
    operation: 'previewSms',
    variantOf: () => () => '',
    show: async ({ plan, recipients }, { channels }) => {
      const [splitBy, optOutOf] = await Promise.all([loadSplit(), findOptOuts(plan, find, notSubmitted)]);
      return recipients.map((recipient) => {
        const {
          written,
          phone,
          messages: [message],
          problems,
        } = recipient;
        const leaving = leavingOf(message);
        return {
          written,
          ...(phone === undefined ? {} : { phone }),
          ...(message === undefined
            ? {}
            : { channel: message.channel, ...textOf(message, channels, splitBy) }),
          ...leaving.shown,
          problems: [...problems, ...optOutOf(recipient), ...leaving.problems],
        };
      });
    },
  };
}

export function textOf(
  { channel, content, units, way }: Pick<PlannedMessage, 'channel' | 'content' | 'units' | 'way'>,
  channels: ChannelTable,
  splitBy: SplitBy,
): ShownText {
  return { text: content, units, ...splitBy(firstConnector(channels.named(channel), way), content) };
}
