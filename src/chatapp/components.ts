/** Renders a filled template as the `template` object of a WhatsApp Cloud API message. */
import { identityOfParameter } from './kinds.ts';
import type { ParameterKind, ParameterOf } from './parameter.ts';
import type { Filling } from './parameters.ts';
import {
  type ButtonKind,
  bodySlots,
  buttonSlots,
  cardLabel,
  headerTextSlots,
  identityOf,
  type TextSlot,
} from './slots.ts';
import { type ChatAppTemplate, cardPart, type Header, type Part } from './template.ts';
import { parseInstant } from './values.ts';

/** Carousel cards hold components again. */
export interface Component {
  type: 'header' | 'body' | 'button' | 'limited_time_offer' | 'carousel';
  sub_type?: 'url' | 'quick_reply' | 'copy_code';
  index?: number;
  parameters?: object[];
  cards?: { card_index: number; components: Component[] }[];
}

export interface TemplateMessage {
  name: string;
  language: { code: string };
  components: Component[];
}

/** `filling` has passed the check of the parameters. */
export function templateMessage(template: ChatAppTemplate, filling: Filling): TemplateMessage {
  const { name, language } = template;
  return { name, language: { code: language }, components: componentsOf(template, filling) };
}

function componentsOf(part: Part, filling: Filling): Component[] {
  return [
    ...component('header', headerParameters(part, filling)),
    ...component('body', texts(bodySlots(part), filling)),
    ...buttons(part, filling),
    ...offer(part, filling),
    ...carousel(part, filling),
  ];
}

/** A component that nothing fills is left out. */
function component(type: Component['type'], parameters: object[]): Component[] {
  return parameters.length === 0 ? [] : [{ type, parameters }];
}

function find<Kind extends ParameterKind>(filling: Filling, kind: Kind, label: string = kind) {
  return filling.get(identityOf({ kind, label })) as ParameterOf<Kind> | undefined;
}

const headerParameter: {
  [F in Header['format']]: (part: Part, filling: Filling) => object[];
} = {
  TEXT: (part, filling) => texts(headerTextSlots(part), filling),
  IMAGE: (_part, filling) => media(filling, (link) => ({ type: 'image', image: { link } })),
  VIDEO: (_part, filling) => media(filling, (link) => ({ type: 'video', video: { link } })),
  DOCUMENT: (_part, filling) =>
    media(filling, (link, filename) => ({
      type: 'document',
      document: { link, ...(filename === undefined ? {} : { filename }) },
    })),
  LOCATION: (_part, filling) => {
    const place = find(filling, 'LocationParameter');
    if (place === undefined) return [];
    const { latitude, longitude, value, address } = place;
    return [
      {
        type: 'location',
        location: {
          // Decimal degrees as strings: the form of the network's own examples. Six digits are a hand's breadth.
          latitude: latitude.toFixed(6),
          longitude: longitude.toFixed(6),
          name: value,
          ...(address === undefined ? {} : { address }),
        },
      },
    ];
  },
};

function headerParameters(part: Part, filling: Filling): object[] {
  return part.header === undefined ? [] : headerParameter[part.header.format](part, filling);
}

function media(filling: Filling, render: (link: string, filename: string | undefined) => object): object[] {
  const parameter = find(filling, 'MediaParameter');
  return parameter === undefined ? [] : [render(parameter.value, parameter.filename)];
}

function texts(slots: readonly TextSlot[], filling: Filling): object[] {
  return slots.map((slot) => ({
    type: 'text',
    ...(slot.kind.includes('Named') ? { parameter_name: slot.placeholder } : {}),
    text: filling.get(identityOf(slot))?.value ?? '',
  }));
}

const urlButton = (text: string) => ({ sub_type: 'url', parameters: [{ type: 'text', text }] }) as const;
const copyButton = (code: string) =>
  ({ sub_type: 'copy_code', parameters: [{ type: 'coupon_code', coupon_code: code }] }) as const;

const filledButton: {
  [K in ButtonKind]: (value: string) => {
    sub_type: 'url' | 'quick_reply' | 'copy_code';
    parameters: readonly object[];
  };
} = {
  UrlNamedParameter: urlButton,
  UrlPositionalParameter: urlButton,
  QuickReplyPayloadParameter: (payload) => ({
    sub_type: 'quick_reply',
    parameters: [{ type: 'payload', payload }],
  }),
  CopyParameter: copyButton,
  CouponCodeParameter: copyButton,
  // An approved one-time-password button is a URL button to the network.
  OtpParameter: urlButton,
};

function buttons(part: Part, filling: Filling): Component[] {
  return buttonSlots(part).flatMap((slot) => {
    const parameter = filling.get(identityOf(slot));
    if (parameter === undefined) return [];
    const { sub_type, parameters } = filledButton[slot.kind](parameter.value);
    return [{ type: 'button', sub_type, index: slot.index, parameters: [...parameters] }];
  });
}

function offer({ limitedTimeOffer }: Part, filling: Filling): Component[] {
  if (!limitedTimeOffer?.hasExpiration) return [];
  const ends = parseInstant(find(filling, 'LimitedTimeOfferParameter')?.value ?? '');
  return component('limited_time_offer', [
    { type: 'limited_time_offer', limited_time_offer: { expiration_time_ms: ends } },
  ]);
}

function carousel(part: Part, filling: Filling): Component[] {
  if (part.carousel === undefined) return [];
  const cards = part.carousel.cards.flatMap((card, index) => {
    const parameter = find(filling, 'CarouselCardParameter', cardLabel(index));
    if (parameter === undefined) return [];
    const medium = card.header.format === 'IMAGE' ? 'image' : 'video';
    const own: Filling = new Map(parameter.params.map((one) => [identityOfParameter(one), one]));
    return [
      {
        card_index: index,
        components: [
          ...component('header', [{ type: medium, [medium]: { link: parameter.value } }]),
          ...componentsOf(cardPart(part, card), own),
        ],
      },
    ];
  });
  return [{ type: 'carousel', cards }];
}
