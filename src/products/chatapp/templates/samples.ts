/** Makes a parameter for every place of a template, so that it can be shown before anybody has sent it. */
import type { ChatAppParameter, ParameterKind, ParameterOf } from './parameter.ts';
import { slotsOf } from './slots.ts';
import { type ChatAppTemplate, cardPart, type Part } from './template.ts';

type Make<Kind extends ParameterKind> = (label: string, template: Part, nowMs: number) => ParameterOf<Kind>;

const dayMs = 86_400_000;
const picture = 'https://example.com/sample.jpg';

const made: { [Kind in ParameterKind]: Make<Kind> } = {
  BodyNamedParameter: (name) => ({ type: 'BodyNamedParameter', name, value: name }),
  BodyPositionalParameter: (label) => ({
    type: 'BodyPositionalParameter',
    position: Number(label),
    value: `value ${label}`,
  }),
  HeaderNamedParameter: (name) => ({ type: 'HeaderNamedParameter', name, value: name }),
  HeaderPositionalParameter: (label) => ({
    type: 'HeaderPositionalParameter',
    position: Number(label),
    value: `value ${label}`,
  }),
  MediaParameter: (_label, { header }) =>
    header?.format === 'DOCUMENT'
      ? { type: 'MediaParameter', value: 'https://example.com/sample.pdf', filename: 'sample.pdf' }
      : {
          type: 'MediaParameter',
          value: header?.format === 'VIDEO' ? 'https://example.com/sample.mp4' : picture,
        },
  LocationParameter: () => ({
    type: 'LocationParameter',
    latitude: -1.286389,
    longitude: 36.817223,
    value: 'Kenyatta Avenue',
    address: 'Nairobi',
  }),
  UrlNamedParameter: (name) => ({ type: 'UrlNamedParameter', name, value: 'sample' }),
  UrlPositionalParameter: (label) => ({
    type: 'UrlPositionalParameter',
    position: Number(label),
    value: 'sample',
  }),
  QuickReplyPayloadParameter: (label) => ({
    type: 'QuickReplyPayloadParameter',
    position: Number(label),
    value: 'sample',
  }),
  CopyParameter: (label) => ({ type: 'CopyParameter', position: Number(label), value: 'SAMPLE' }),
  CouponCodeParameter: () => ({ type: 'CouponCodeParameter', value: 'SAMPLE' }),
  OtpParameter: () => ({ type: 'OtpParameter', value: '471100' }),
  LimitedTimeOfferParameter: (_label, _template, nowMs) => ({
    type: 'LimitedTimeOfferParameter',
    value: new Date(nowMs + dayMs).toISOString(),
  }),
  CarouselCardParameter: (label, template, nowMs) => {
    const cardIndex = Number(label.replace(/\D/g, ''));
    const card = template.carousel?.cards[cardIndex];
    return {
      type: 'CarouselCardParameter',
      cardIndex,
      value: picture,
      params: card === undefined ? [] : (parametersOf(cardPart(template, card), nowMs) as CardParameters),
    };
  },
};

type CardParameters = ParameterOf<'CarouselCardParameter'>['params'];

function parametersOf(part: Part, nowMs: number): ChatAppParameter[] {
  return slotsOf(part)
    .filter(({ required }) => required)
    .map(({ kind, label }) => made[kind](label, part, nowMs));
}

/** Only what a message needs. */
export function sampleParameters(
  template: Omit<ChatAppTemplate, 'id' | 'name' | 'language' | 'status' | 'approvalStatus'>,
  nowMs: number,
): ChatAppParameter[] {
  return parametersOf(template, nowMs);
}
