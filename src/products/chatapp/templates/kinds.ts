/** The rules of each kind of parameter: how it names its place, which component it needs, what its value may be; and a sample. */
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
import { cardLabel, identityOf, slotsOf } from './slots.ts';
import { type Button, cardPart, type Header, type Part } from './template.ts';
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
  /** A parameter for the place with this label, so that a template can be shown before anybody has sent it. */
  sample: (label: string, part: Part, nowMs: number) => ParameterOf<Kind>;
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

const dayMs = 86_400_000;
const picture = 'https://example.com/sample.jpg';
type CardParameters = ParameterOf<'CarouselCardParameter'>['params'];

/** Total over the kinds: one more in the contract does not compile until it has a row. */
const kinds: { [Kind in ParameterKind]: KindRules<Kind> } = {
  BodyNamedParameter: {
    ...byName,
    ...inBody('BodyPositionalParameter'),
    valueFaults: bodyText,
    sample: (name) => ({ type: 'BodyNamedParameter', name, value: name }),
  },
  BodyPositionalParameter: {
    ...byPosition,
    ...inBody('BodyNamedParameter'),
    valueFaults: bodyText,
    sample: (label) => ({
      type: 'BodyPositionalParameter',
      position: Number(label),
      value: `value ${label}`,
    }),
  },
  HeaderNamedParameter: {
    ...byName,
    ...inHeader('TEXT'),
    sibling: 'HeaderPositionalParameter',
    valueFaults: headerText,
    sample: (name) => ({ type: 'HeaderNamedParameter', name, value: name }),
  },
  HeaderPositionalParameter: {
    ...byPosition,
    ...inHeader('TEXT'),
    sibling: 'HeaderNamedParameter',
    valueFaults: headerText,
    sample: (label) => ({
      type: 'HeaderPositionalParameter',
      position: Number(label),
      value: `value ${label}`,
    }),
  },
  MediaParameter: {
    ...alone,
    ...inHeader('IMAGE', 'VIDEO', 'DOCUMENT'),
    valueFaults: ({ value, filename }, label, { header }) => [
      ...mediaUrlFaults(value, label),
      ...filenameFaults(filename, header?.format === 'DOCUMENT'),
    ],
    sample: (_label, { header }) =>
      header?.format === 'DOCUMENT'
        ? { type: 'MediaParameter', value: 'https://example.com/sample.pdf', filename: 'sample.pdf' }
        : {
            type: 'MediaParameter',
            value: header?.format === 'VIDEO' ? 'https://example.com/sample.mp4' : picture,
          },
  },
  LocationParameter: {
    ...alone,
    ...inHeader('LOCATION'),
    valueFaults: (place, label) => [...textFaults(place.value, label, 1024), ...placeFaults(place)],
    sample: () => ({
      type: 'LocationParameter',
      latitude: -1.286389,
      longitude: 36.817223,
      value: 'Kenyatta Avenue',
      address: 'Nairobi',
    }),
  },
  UrlNamedParameter: {
    ...byName,
    ...inUrl('UrlPositionalParameter'),
    valueFaults: urlSuffix,
    sample: (name) => ({ type: 'UrlNamedParameter', name, value: 'sample' }),
  },
  UrlPositionalParameter: {
    ...byPosition,
    ...inUrl('UrlNamedParameter'),
    valueFaults: urlSuffix,
    sample: (label) => ({
      type: 'UrlPositionalParameter',
      position: Number(label),
      value: 'sample',
    }),
  },
  QuickReplyPayloadParameter: {
    ...byPosition,
    ...inButton('QUICK_REPLY'),
    valueFaults: text(256),
    sample: (label) => ({
      type: 'QuickReplyPayloadParameter',
      position: Number(label),
      value: 'sample',
    }),
  },
  CopyParameter: {
    ...byPosition,
    ...inButton('COPY_CODE'),
    valueFaults: text(20),
    sample: (label) => ({ type: 'CopyParameter', position: Number(label), value: 'SAMPLE' }),
  },
  CouponCodeParameter: {
    ...alone,
    ...inCoupon,
    valueFaults: text(15),
    sample: () => ({ type: 'CouponCodeParameter', value: 'SAMPLE' }),
  },
  OtpParameter: {
    ...alone,
    ...inButton('OTP'),
    category: 'AUTHENTICATION',
    valueFaults: text(15),
    sample: () => ({ type: 'OtpParameter', value: '471100' }),
  },
  LimitedTimeOfferParameter: {
    ...alone,
    ...inOffer,
    category: 'MARKETING',
    valueFaults: ({ value }, label, _part, nowMs) => futureInstantFaults(value, label, nowMs),
    sample: (_label, _template, nowMs) => ({
      type: 'LimitedTimeOfferParameter',
      value: new Date(nowMs + dayMs).toISOString(),
    }),
  },
  CarouselCardParameter: {
    ...byCard,
    ...inCarousel,
    valueFaults: ({ value }, label) => mediaUrlFaults(value, label),
    sample: (label, template, nowMs) => {
      const cardIndex = Number(label.replace(/\D/g, ''));
      const card = template.carousel?.cards[cardIndex];
      return {
        type: 'CarouselCardParameter',
        cardIndex,
        value: picture,
        params:
          card === undefined ? [] : (sampleParameters(cardPart(template, card), nowMs) as CardParameters),
      };
    },
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

/** A parameter for every place of the template that a message must fill. */
export function sampleParameters(part: Part, nowMs: number): ChatAppParameter[] {
  return slotsOf(part)
    .filter(({ required }) => required)
    .map(({ kind, label }) => rulesOf(kind).sample(label, part, nowMs));
}
