/** Finds the places of a template that parameters fill, in the order of the template. */
import { placeholdersOf } from '../../templates/substitute.ts';
import type { FilledButton } from './filled-template.ts';
import type { ParameterKind } from './parameter.ts';
import type { Button, Header, Part } from './template.ts';

/** A place for one parameter. */
export interface Slot {
  kind: ParameterKind;
  /** What sentences call it: its name or position, or the kind where a template has at most one. */
  label: string;
  required: boolean;
}

/** A place in a text. */
export interface TextSlot extends Slot {
  /** What stands between the braces. */
  placeholder: string;
}

/** A place in a button. */
export interface ButtonSlot extends Slot {
  /** Of the button. */
  type: FilledButton['type'];
  /** The button's place among all buttons of its part, from 0. */
  index: number;
}

/** The same for a slot and for the parameter that fills it. */
export function identityOf({ kind, label }: Pick<Slot, 'kind' | 'label'>): string {
  return `${kind} ${label}`;
}

export const cardLabel = (index: number) => `card ${index}`;

const only = <Kind extends ParameterKind>(kind: Kind) => ({ kind, label: kind, required: true });

/** Every place of the part. A parameter that fills two places at once is listed once. */
export function slotsOf(part: Part): Slot[] {
  const slots: Slot[] = [
    ...headerSlots(part),
    ...bodySlots(part),
    ...buttonSlots(part),
    ...(part.limitedTimeOffer?.hasExpiration ? [only('LimitedTimeOfferParameter')] : []),
    ...(part.carousel?.cards ?? []).map(
      (_card, index): Slot => ({ kind: 'CarouselCardParameter', label: cardLabel(index), required: true }),
    ),
  ];
  return [...new Map(slots.map((slot) => [identityOf(slot), slot])).values()];
}

const headerKinds: { [F in Exclude<Header['format'], 'TEXT'>]: ParameterKind } = {
  IMAGE: 'MediaParameter',
  VIDEO: 'MediaParameter',
  DOCUMENT: 'MediaParameter',
  LOCATION: 'LocationParameter',
};

function headerSlots(part: Part): Slot[] {
  if (part.header === undefined) return [];
  return part.header.format === 'TEXT' ? headerTextSlots(part) : [only(headerKinds[part.header.format])];
}

/** The placeholders of a text header: named ones in the order of the text, numbered ones by number. */
export function headerTextSlots({ header, parameterFormat }: Part): TextSlot[] {
  if (header?.format !== 'TEXT') return [];
  return parameterFormat === 'NAMED'
    ? textSlots('HeaderNamedParameter', header.text)
    : textSlots('HeaderPositionalParameter', header.text);
}

/**
 * The placeholders of the body, ordered like those of a header. Where a button copies a one-time password, the
 * first of them is the password.
 */
export function bodySlots({ body, parameterFormat, buttons }: Part): TextSlot[] {
  const text = body?.text ?? '';
  const slots =
    parameterFormat === 'NAMED'
      ? textSlots('BodyNamedParameter', text)
      : textSlots('BodyPositionalParameter', text);
  if (!buttons.some(({ type }) => type === 'OTP')) return slots;
  const [first, ...others] = slots;
  return [{ ...only('OtpParameter'), placeholder: first?.placeholder ?? '1' }, ...others];
}

function textSlots(kind: ParameterKind, text: string): TextSlot[] {
  const placeholders = placeholdersOf(text);
  if (kind.includes('Positional')) placeholders.sort((one, other) => Number(one) - Number(other));
  return placeholders.map((placeholder) => ({ kind, label: placeholder, required: true, placeholder }));
}

/** What a button is filled with; `nth` counts the buttons before it that are filled alike, and it. */
const buttonSlot: {
  [T in FilledButton['type']]: (button: Button, part: Part, nth: number) => Slot | undefined;
} = {
  URL: ({ url = '' }, _part, nth) => {
    const [placeholder] = placeholdersOf(url);
    if (placeholder === undefined) return undefined;
    return /^[0-9]+$/.test(placeholder)
      ? { kind: 'UrlPositionalParameter', label: String(nth), required: true }
      : { kind: 'UrlNamedParameter', label: placeholder, required: true };
  },
  // Without a payload the network returns the button's text.
  QUICK_REPLY: (_button, _part, nth) => ({
    kind: 'QuickReplyPayloadParameter',
    label: String(nth),
    required: false,
  }),
  COPY_CODE: (_button, { limitedTimeOffer }, nth) =>
    limitedTimeOffer === undefined
      ? { kind: 'CopyParameter', label: String(nth), required: true }
      : only('CouponCodeParameter'),
  OTP: () => only('OtpParameter'),
};

export function buttonSlots(part: Part): ButtonSlot[] {
  const counts = new Map<Button['type'], number>();
  return part.buttons.flatMap((button, index) => {
    const { type } = button;
    if (type === 'PHONE_NUMBER') return [];
    const nth = (counts.get(type) ?? 0) + 1;
    const slot = buttonSlot[type](button, part, nth);
    if (slot === undefined) return [];
    counts.set(type, nth);
    return [{ ...slot, index, type }];
  });
}
