/** Renders what a message says for the WhatsApp Cloud API: a filled template as its `template` object, a reply as its properties. */
import type {
  FilledButton,
  FilledCard,
  FilledHeader,
  FilledPart,
  FilledTemplate,
  FilledText,
  SessionContent,
} from '../../products/chatapp/templates/filled-template.ts';

/** Carousel cards hold components again. */
interface Component {
  type: 'header' | 'body' | 'button' | 'limited_time_offer' | 'carousel';
  sub_type?: 'url' | 'quick_reply' | 'copy_code';
  index?: number;
  parameters?: object[];
  cards?: { card_index: number; components: Component[] }[];
}

export interface TemplateObject {
  name: string;
  language: { code: string };
  components: Component[];
}

export function templateObject(template: FilledTemplate): TemplateObject {
  const { name, language, offerEndsMs, cards } = template;
  return {
    name,
    language: { code: language },
    components: [
      ...componentsOf(template),
      ...(offerEndsMs === undefined ? [] : [offer(offerEndsMs)]),
      ...(cards === undefined ? [] : [{ type: 'carousel' as const, cards: cards.map(renderCard) }]),
    ],
  };
}

/** A text, or a file that the network fetches. */
export function sessionObject(content: SessionContent): object {
  if ('text' in content) return { type: 'text', text: { body: content.text } };
  const { kind, url: link, ...shown } = content.media;
  const type = kind.toLowerCase();
  return { type, [type]: { link, ...shown } };
}

function componentsOf({ header, body, buttons = [] }: FilledPart): Component[] {
  return [
    ...(header === undefined ? [] : [{ type: 'header' as const, parameters: headerParameters(header) }]),
    ...(body === undefined ? [] : [{ type: 'body' as const, parameters: body.map(text) }]),
    ...buttons.map(renderButton),
  ];
}

function headerParameters(header: FilledHeader): object[] {
  switch (header.format) {
    case 'TEXT':
      return header.texts.map(text);
    case 'LOCATION':
      return [location(header)];
    default: {
      const { format, url: link, filename } = header;
      const type = format.toLowerCase();
      return [{ type, [type]: { link, ...(filename === undefined ? {} : { filename }) } }];
    }
  }
}

function location({ latitude, longitude, name, address }: Extract<FilledHeader, { format: 'LOCATION' }>) {
  return {
    type: 'location',
    location: {
      // Decimal degrees as strings: the form of the network's own examples. Six digits are a hand's breadth.
      latitude: latitude.toFixed(6),
      longitude: longitude.toFixed(6),
      name,
      ...(address === undefined ? {} : { address }),
    },
  };
}

function text({ name, value }: FilledText): object {
  return { type: 'text', ...(name === undefined ? {} : { parameter_name: name }), text: value };
}

const url = (value: string) => ({ sub_type: 'url' as const, parameters: [text({ value })] });

const buttons: {
  readonly [T in FilledButton['type']]: (value: string) => Pick<Component, 'sub_type' | 'parameters'>;
} = {
  URL: url,
  QUICK_REPLY: (payload) => ({ sub_type: 'quick_reply', parameters: [{ type: 'payload', payload }] }),
  COPY_CODE: (code) => ({
    sub_type: 'copy_code',
    parameters: [{ type: 'coupon_code', coupon_code: code }],
  }),
  // An approved one-time-password button is a URL button to the network.
  OTP: url,
};

function renderButton({ index, type, value }: FilledButton): Component {
  return { type: 'button', index, ...buttons[type](value) };
}

function offer(endsMs: number): Component {
  return {
    type: 'limited_time_offer',
    parameters: [{ type: 'limited_time_offer', limited_time_offer: { expiration_time_ms: endsMs } }],
  };
}

function renderCard({ index, ...part }: FilledCard) {
  return { card_index: index, components: componentsOf(part) };
}
