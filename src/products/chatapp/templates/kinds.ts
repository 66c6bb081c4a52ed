/** The rules of each kind of parameter: how it names its place, which component it needs, what its value may be. */
import type { Category } from '../../../model/plan.ts';
import { sentences } from '../../../platform/errors/parameters.ts';
import { isPlaceholderName, placeholdersOf } from '../../templates/substitute.ts';
import {
  type ChatAppParameter,
  type ComponentType,
  componentFault,
  type Fault,
  type ParameterKind,
  type ParameterOf,
} from './parameter.ts';
import { cardLabel, identityOf } from './slots.ts';
import type { Button, Header, Part } from './template.ts';
import {
  filenameFaults,
  futureInstantFaults,
  mediaUrlFaults,
  placeFaults,
  textFaults,
  urlSuffixFaults,
} from './values.ts';

interface Addressing<Parameter> {
  /** What sentences call the parameter. */
  label: (parameter: Parameter) => string;
  /** What is wrong with the name or number itself. */
  addressFault: (parameter: Parameter) => string | undefined;
}

interface Placing {
  /** Why the part has no place for this kind at all; undefined when only this one place may be missing. */
  absence: (part: Part, kind: ParameterKind) => Fault | undefined;
  /** The same place written the other way. */
  sibling?: ParameterKind;
}

export interface KindRules<Kind extends ParameterKind> extends Addressing<ParameterOf<Kind>>, Placing {
  /** The only category whose templates may be sent with it. */
  category?: Category;
  /** Sentences on the value and what stands beside it. */
  valueFaults: (parameter: ParameterOf<Kind>, label: string, part: Part, nowMs: number) => string[];
}

const byName: Addressing<{ name: string }> = {
  label: ({ name }) => name,
  addressFault: ({ name }) => (isPlaceholderName(name) ? undefined : sentences.name()),
};
const byPosition: Addressing<{ position: number }> = {
  label: ({ position }) => String(position),
  addressFault: ({ position }) => (position >= 1 ? undefined : sentences.position()),
};
const alone: Addressing<{ type: ParameterKind }> = {
  label: ({ type }) => type,
  addressFault: () => undefined,
};
const byCard: Addressing<{ cardIndex: number }> = {
  label: ({ cardIndex }) => cardLabel(cardIndex),
  addressFault: ({ cardIndex }) => (cardIndex >= 0 ? undefined : sentences.cardIndex()),
};

const lacking = (component: ComponentType) => componentFault(component, sentences.noComponent(component));

const inBody = (sibling: ParameterKind): Placing => ({
  absence: ({ body }) => (body === undefined ? lacking('BODY') : undefined),
  sibling,
});
const inHeader = (...formats: Header['format'][]): Placing => ({
  absence: ({ header }, kind) => {
    if (header === undefined) return lacking('HEADER');
    return formats.includes(header.format)
      ? undefined
      : componentFault('HEADER', sentences.headerFormat(header.format, kind));
  },
});
const inButton = (type: Button['type']): Placing => ({
  absence: ({ buttons }) =>
    buttons.some((button) => button.type === type)
      ? undefined
      : componentFault('BUTTONS', sentences.noButton(type)),
});
const inUrl = (sibling: ParameterKind): Placing => ({
  absence: ({ buttons }) =>
    buttons.some(({ type, url = '' }) => type === 'URL' && placeholdersOf(url).length > 0)
      ? undefined
      : componentFault('BUTTONS', sentences.noUrlPlaceholder()),
  sibling,
});
const inOffer: Placing = {
  absence: ({ limitedTimeOffer }) =>
    limitedTimeOffer === undefined ? lacking('LIMITED_TIME_OFFER') : undefined,
};
const inCoupon: Placing = {
  absence: (part, kind) => inOffer.absence(part, kind) ?? inButton('COPY_CODE').absence(part, kind),
};
const inCarousel: Placing = {
  absence: ({ carousel }) => (carousel === undefined ? lacking('CAROUSEL') : undefined),
};

const text =
  (limit: number) =>
  ({ value }: { value: string }, label: string) =>
    textFaults(value, label, limit);
const urlSuffix = ({ value }: { value: string }, label: string) => urlSuffixFaults(value, label);
const bodyText = text(1024);
/** What makes a header too long is judged when it is filled. */
const headerText = text(1024);

/** Total over the kinds: one more in the contract does not compile until it has a row. */
const kinds: { [Kind in ParameterKind]: KindRules<Kind> } = {
  BodyNamedParameter: { ...byName, ...inBody('BodyPositionalParameter'), valueFaults: bodyText },
  BodyPositionalParameter: { ...byPosition, ...inBody('BodyNamedParameter'), valueFaults: bodyText },
  HeaderNamedParameter: {
    ...byName,
    ...inHeader('TEXT'),
    sibling: 'HeaderPositionalParameter',
    valueFaults: headerText,
  },
  HeaderPositionalParameter: {
    ...byPosition,
    ...inHeader('TEXT'),
    sibling: 'HeaderNamedParameter',
    valueFaults: headerText,
  },
  MediaParameter: {
    ...alone,
    ...inHeader('IMAGE', 'VIDEO', 'DOCUMENT'),
    valueFaults: ({ value, filename }, label, { header }) => [
      ...mediaUrlFaults(value, label),
      ...filenameFaults(filename, header?.format === 'DOCUMENT'),
    ],
  },
  LocationParameter: {
    ...alone,
    ...inHeader('LOCATION'),
    valueFaults: (place, label) => [...textFaults(place.value, label, 1024), ...placeFaults(place)],
  },
  UrlNamedParameter: { ...byName, ...inUrl('UrlPositionalParameter'), valueFaults: urlSuffix },
  UrlPositionalParameter: { ...byPosition, ...inUrl('UrlNamedParameter'), valueFaults: urlSuffix },
  QuickReplyPayloadParameter: { ...byPosition, ...inButton('QUICK_REPLY'), valueFaults: text(256) },
  CopyParameter: { ...byPosition, ...inButton('COPY_CODE'), valueFaults: text(20) },
  CouponCodeParameter: { ...alone, ...inCoupon, valueFaults: text(15) },
  OtpParameter: { ...alone, ...inButton('OTP'), category: 'AUTHENTICATION', valueFaults: text(15) },
  LimitedTimeOfferParameter: {
    ...alone,
    ...inOffer,
    category: 'MARKETING',
    valueFaults: ({ value }, label, _part, nowMs) => futureInstantFaults(value, label, nowMs),
  },
  CarouselCardParameter: {
    ...byCard,
    ...inCarousel,
    valueFaults: ({ value }, label) => mediaUrlFaults(value, label),
  },
};

export function rulesOf<Kind extends ParameterKind>(kind: Kind): KindRules<Kind> {
  return kinds[kind];
}

/** The identity of the slot that the parameter fills, if the template has it. */
export function identityOfParameter(parameter: ChatAppParameter): string {
  const { type: kind } = parameter;
  return identityOf({ kind, label: rulesOf<ParameterKind>(kind).label(parameter as never) });
}
