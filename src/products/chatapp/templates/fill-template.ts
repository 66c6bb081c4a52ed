/** Puts checked parameters in their places: what every network needs to know of a message, in no network's form. */
import type { FilledCard, FilledHeader, FilledPart, FilledTemplate, FilledText } from './filled-template.ts';
import { identityOfParameter } from './kinds.ts';
import type { ParameterKind, ParameterOf } from './parameter.ts';
import type { Filling } from './parameters.ts';
import { bodySlots, buttonSlots, cardLabel, headerTextSlots, identityOf, type TextSlot } from './slots.ts';
import { type ChatAppTemplate, cardPart, type Header, type Part } from './template.ts';
import { parseInstant } from './values.ts';

/** `filling` has passed the check of the parameters. */
export function fillTemplate(template: ChatAppTemplate, filling: Filling): FilledTemplate {
  const { name, language, limitedTimeOffer, carousel } = template;
  const offer = find(filling, 'LimitedTimeOfferParameter');
  const offerEndsMs = limitedTimeOffer?.hasExpiration ? parseInstant(offer?.value ?? '') : undefined;
  return {
    name,
    language,
    ...fillPart(template, filling),
    ...(offerEndsMs === undefined ? {} : { offerEndsMs }),
    ...(carousel === undefined ? {} : { cards: fillCards(template, carousel, filling) }),
  };
}

function fillPart(part: Part, filling: Filling): FilledPart {
  const header = part.header && fillHeader[part.header.format](part, filling);
  const body = fillTexts(bodySlots(part), filling);
  const buttons = buttonSlots(part).flatMap((slot) => {
    const parameter = filling.get(identityOf(slot));
    if (parameter === undefined) return [];
    return [{ index: slot.index, type: slot.type, value: parameter.value }];
  });
  return {
    ...(header === undefined ? {} : { header }),
    ...(body.length === 0 ? {} : { body }),
    ...(buttons.length === 0 ? {} : { buttons }),
  };
}

function find<Kind extends ParameterKind>(filling: Filling, kind: Kind, label: string = kind) {
  return filling.get(identityOf({ kind, label })) as ParameterOf<Kind> | undefined;
}

const fillHeader: {
  [F in Header['format']]: (part: Part, filling: Filling) => FilledHeader | undefined;
} = {
  TEXT: (part, filling) => {
    const texts = fillTexts(headerTextSlots(part), filling);
    return texts.length === 0 ? undefined : { format: 'TEXT', texts };
  },
  IMAGE: (_part, filling) => media('IMAGE', filling),
  VIDEO: (_part, filling) => media('VIDEO', filling),
  DOCUMENT: (_part, filling) => media('DOCUMENT', filling),
  LOCATION: (_part, filling) => {
    const place = find(filling, 'LocationParameter');
    if (place === undefined) return undefined;
    const { latitude, longitude, value: name, address } = place;
    return { format: 'LOCATION', latitude, longitude, name, ...(address === undefined ? {} : { address }) };
  },
};

function media(format: 'IMAGE' | 'VIDEO' | 'DOCUMENT', filling: Filling): FilledHeader | undefined {
  const parameter = find(filling, 'MediaParameter');
  if (parameter === undefined) return undefined;
  const { value: url, filename } = parameter;
  return { format, url, ...(filename === undefined ? {} : { filename }) };
}

function fillTexts(slots: readonly TextSlot[], filling: Filling): FilledText[] {
  return slots.map((slot) => ({
    ...(slot.kind.includes('Named') ? { name: slot.placeholder } : {}),
    value: filling.get(identityOf(slot))?.value ?? '',
  }));
}

function fillCards(
  template: ChatAppTemplate,
  { cards }: NonNullable<Part['carousel']>,
  filling: Filling,
): FilledCard[] {
  return cards.flatMap((card, index) => {
    const parameter = find(filling, 'CarouselCardParameter', cardLabel(index));
    if (parameter === undefined) return [];
    const own: Filling = new Map(parameter.params.map((one) => [identityOfParameter(one), one]));
    const header: FilledHeader = { format: card.header.format, url: parameter.value };
    return [{ index, header, ...fillPart(cardPart(template, card), own) }];
  });
}
