/** Writes the optional parameters that an operator asks for, such as the registrations of a sender and a text. */
import type { OutboundMessage } from '../../contract/connector.ts';
import { filled, withRegistrations } from '../../contract/placeholders.ts';
import type { SmppSettings } from '../settings.ts';
import { tags } from '../wire/commands.ts';
import type { Tlv } from '../wire/tlv.ts';

/** By tag, such as `0x1400`. */
type Parameters = SmppSettings['parameters'];

const ownTags: ReadonlySet<number> = new Set([
  tags.sarMessageReference,
  tags.sarTotalSegments,
  tags.sarSegmentNumber,
  tags.messagePayload,
]);

/** What no message could be sent with. */
export function parametersFault(parameters: Parameters): string | undefined {
  const wrongTag = tagsFault('parameters', Object.keys(parameters));
  if (wrongTag !== undefined) return wrongTag;
  for (const [tag, { format, value }] of Object.entries(parameters)) {
    const fault = (rule: string) => `setting "parameters.${tag}" ${rule}`;
    if (ownTags.has(Number(tag))) return fault('is a parameter that the connector writes itself');
    if (format === 'hex' && !/^([0-9A-Fa-f]{2})+$/.test(value))
      return fault('must have two hexadecimal digits for each octet');
    if (format === 'integer' && !(/^\d{1,10}$/.test(value) && Number(value) < 2 ** 32))
      return fault('must be a number from 0 to 4294967295');
  }
  return undefined;
}

/** Of a setting that is by tag. */
export function tagsFault(setting: string, written: readonly string[]): string | undefined {
  const seen = new Set<number>();
  for (const tag of written) {
    if (!/^0x[0-9A-Fa-f]{4}$/.test(tag)) return `setting "${setting}.${tag}" is not a tag such as 0x1400`;
    if (seen.has(Number(tag))) return `setting "${setting}.${tag}" is there twice`;
    seen.add(Number(tag));
  }
  return undefined;
}

/** Those of one message, the same in each of its parts; one with a registration that the message lacks is left out. */
export function parametersOf(
  { id, sender, registrations }: Pick<OutboundMessage, 'id' | 'sender' | 'registrations'>,
  parameters: Parameters,
): Tlv[] {
  return Object.entries(parameters).flatMap(([tag, { format, value }]) => {
    if (format === 'hex') return { tag: Number(tag), value: Buffer.from(value, 'hex') };
    if (format === 'integer') return { tag: Number(tag), value: integer(Number(value)) };
    const text = withRegistrations(value, registrations);
    if (text === undefined) return [];
    return { tag: Number(tag), value: Buffer.from(filled(text, { messageId: id, sender: sender ?? '' })) };
  });
}

function integer(value: number): Buffer {
  const octets = Buffer.alloc(4);
  octets.writeUInt32BE(value);
  return octets.subarray(value < 2 ** 8 ? 3 : value < 2 ** 16 ? 2 : 0);
}
