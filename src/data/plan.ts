/** The bundles and SMS of a request: recipients and facts in, messages and the answer's counts out. */
import { noAccount, type PlannedMessage } from '../intake/plan.ts';
import type { RoutedRecipient } from '../phone/route.ts';
import { unitsOf } from '../sms/units.ts';
import type { Bundle } from './command.ts';
import type { DataFacts } from './facts.ts';

const unitsPerBundle = 1;

/** A bundle for each recipient and, held until that is delivered, the SMS that goes with it. */
export function planMessages(
  recipients: readonly RoutedRecipient<Bundle>[],
  { accountIds, smsAccountId }: Pick<DataFacts, 'accountIds' | 'smsAccountId'>,
): PlannedMessage[] {
  return recipients.flatMap(({ phone, channel, content: { denomination, message } }, position) => {
    const common = { position, channel, phone };
    const bundle: PlannedMessage = {
      ...common,
      product: 'data',
      content: denomination,
      units: unitsPerBundle,
      accountId: accountIds.get(`${channel}/${denomination}`) ?? noAccount,
      held: false,
    };
    if (message === undefined) return [bundle];
    const companion: PlannedMessage = {
      ...common,
      product: 'sms',
      content: message,
      units: unitsOf(message),
      accountId: smsAccountId ?? noAccount,
      held: true,
    };
    return [bundle, companion];
  });
}

/** What the client is told: bundles, not the SMS that go with them. */
export interface Counts {
  /** By channel and denomination; every active channel is listed. */
  units: Record<string, Record<string, number>>;
  /** By channel; every active channel is listed. */
  addresses: Record<string, number>;
}

export function countBundles(channelNames: readonly string[], messages: readonly PlannedMessage[]): Counts {
  const units: Counts['units'] = {};
  const addresses: Counts['addresses'] = {};
  for (const name of channelNames) {
    units[name] = {};
    addresses[name] = 0;
  }
  for (const { product, channel, content: denomination, units: cost } of messages) {
    if (product !== 'data') continue;
    const ofChannel = units[channel] ?? {};
    ofChannel[denomination] = (ofChannel[denomination] ?? 0) + cost;
    units[channel] = ofChannel;
    addresses[channel] = (addresses[channel] ?? 0) + 1;
  }
  return { units, addresses };
}
