/** Writes the text of a phone as an SMSC delivers it. */
import { partsOf } from '../../../connectors/smpp/sending/parts.ts';
import type { ShortMessage } from '../../../connectors/smpp/wire/bodies.ts';

/** One deliver_sm, or the parts of a long text. `reference` tells the long texts of a phone apart. */
export function textsOf(
  { source, destination }: Pick<ShortMessage, 'source' | 'destination'>,
  text: string,
  reference: number,
): ShortMessage[] {
  const common = {
    serviceType: '',
    source,
    destination,
    protocolId: 0,
    priority: 0,
    scheduledAt: '',
    validityPeriod: '',
    registeredDelivery: 0,
    replaceIfPresent: 0,
    defaultMessageId: 0,
  };
  return partsOf(text, reference, { concatenation: 'udh8', defaultAlphabet: 'gsm7' }).map((part) => ({
    ...common,
    ...part,
  }));
}
