/** The demo team's chat-app templates, each with parameters that are accepted. */
import type { ChatAppParameter } from '../products/chatapp/templates/parameter.ts';
import type { ChatAppTemplate } from '../products/chatapp/templates/template.ts';

export type DemoTemplate = Pick<ChatAppTemplate, 'id' | 'category' | 'body'> &
  Partial<
    Omit<ChatAppTemplate, 'id' | 'category' | 'body' | 'name' | 'language' | 'status' | 'approvalStatus'>
  >;

export interface DemoEntry {
  template: DemoTemplate;
  params: readonly ChatAppParameter[];
}

const url = 'https://client.example';
const namedBody = (name: string, value: string) => ({ type: 'BodyNamedParameter', name, value }) as const;
const body = (position: number, value: string) =>
  ({ type: 'BodyPositionalParameter', position, value }) as const;
const suffix = (position: number, value: string) =>
  ({ type: 'UrlPositionalParameter', position, value }) as const;

/** By the keys of `demo.json`. */
export const chatAppTemplates = {
  named: {
    template: {
      id: 'chat-order-shipped',
      category: 'UTILITY',
      header: { format: 'TEXT', text: 'News from {{shop}}' },
      body: { text: 'Habari {{name}}, order {{order}} is on its way.' },
      footer: { text: 'Tarishi demo' },
      buttons: [{ type: 'URL', text: 'Track it', url: `${url}/track/{{tracking}}` }],
    },
    params: [
      { type: 'HeaderNamedParameter', name: 'shop', value: 'Duka' },
      namedBody('name', 'Asha'),
      namedBody('order', '4711'),
      { type: 'UrlNamedParameter', name: 'tracking', value: '4711' },
    ],
  },
  positional: {
    template: {
      id: 'chat-appointment',
      category: 'UTILITY',
      parameterFormat: 'POSITIONAL',
      header: { format: 'TEXT', text: 'See you on {{1}}' },
      body: { text: '{{1}}, your appointment is at {{2}}.' },
    },
    params: [
      { type: 'HeaderPositionalParameter', position: 1, value: 'Monday' },
      body(1, 'Asha'),
      body(2, '10:30'),
    ],
  },
  image: {
    template: {
      id: 'chat-lookbook',
      category: 'MARKETING',
      header: { format: 'IMAGE' },
      body: { text: 'The new collection is here.' },
    },
    params: [{ type: 'MediaParameter', value: `${url}/media/lookbook.jpg` }],
  },
  video: {
    template: {
      id: 'chat-how-to',
      category: 'UTILITY',
      header: { format: 'VIDEO' },
      body: { text: 'This is how it is set up.' },
    },
    params: [{ type: 'MediaParameter', value: `${url}/media/how-to.mp4` }],
  },
  document: {
    template: {
      id: 'chat-invoice',
      category: 'UTILITY',
      header: { format: 'DOCUMENT' },
      body: { text: 'Here is your invoice.' },
    },
    params: [{ type: 'MediaParameter', value: `${url}/invoices/4711.pdf`, filename: 'invoice-4711.pdf' }],
  },
  location: {
    template: {
      id: 'chat-pick-up-point',
      category: 'UTILITY',
      header: { format: 'LOCATION' },
      body: { text: 'Your parcel waits here.' },
    },
    params: [
      {
        type: 'LocationParameter',
        latitude: -1.286389,
        longitude: 36.817223,
        value: 'Nairobi pick-up point',
        address: 'Kenyatta Avenue, Nairobi',
      },
    ],
  },
  buttons: {
    template: {
      id: 'chat-survey',
      category: 'MARKETING',
      body: { text: 'How did you like it?' },
      buttons: [
        { type: 'QUICK_REPLY', text: 'Never ask again' },
        { type: 'QUICK_REPLY', text: 'Later' },
        { type: 'URL', text: 'Tell us', url: `${url}/survey/{{1}}` },
        { type: 'PHONE_NUMBER', text: 'Call us' },
      ],
    },
    params: [
      suffix(1, '4711'),
      { type: 'QuickReplyPayloadParameter', position: 1, value: 'survey-4711-never' },
      { type: 'QuickReplyPayloadParameter', position: 2, value: 'survey-4711-later' },
    ],
  },
  copy: {
    template: {
      id: 'chat-voucher',
      category: 'MARKETING',
      body: { text: 'A voucher for your next visit.' },
      buttons: [{ type: 'COPY_CODE', text: 'Copy the code' }],
    },
    params: [{ type: 'CopyParameter', position: 1, value: 'KARIBU-2026' }],
  },
  coupon: {
    template: {
      id: 'chat-coupon',
      category: 'MARKETING',
      body: { text: 'A quarter off, as long as stocks last.' },
      limitedTimeOffer: { text: 'A quarter off', hasExpiration: false },
      buttons: [{ type: 'COPY_CODE', text: 'Copy the code' }],
    },
    params: [{ type: 'CouponCodeParameter', value: 'SAVE25' }],
  },
  otp: {
    template: {
      id: 'chat-one-time-code',
      category: 'AUTHENTICATION',
      parameterFormat: 'POSITIONAL',
      body: { text: '{{1}} is your verification code.' },
      buttons: [{ type: 'OTP', text: 'Copy the code' }],
    },
    params: [{ type: 'OtpParameter', value: '482913' }],
  },
  offer: {
    template: {
      id: 'chat-weekend-offer',
      category: 'MARKETING',
      body: { text: 'A quarter off until the weekend is over.' },
      limitedTimeOffer: { text: 'A quarter off', hasExpiration: true },
      buttons: [{ type: 'COPY_CODE', text: 'Copy the code' }],
    },
    params: [
      { type: 'LimitedTimeOfferParameter', value: '2099-12-31T20:59:59Z' },
      { type: 'CouponCodeParameter', value: 'SAVE25' },
    ],
  },
  carousel: {
    template: {
      id: 'chat-new-arrivals',
      category: 'MARKETING',
      parameterFormat: 'POSITIONAL',
      body: { text: '{{1}}, see what is new.' },
      carousel: { cards: [card(), card()] },
    },
    params: [body(1, 'Asha'), ...['basket', 'lamp'].map(shownCard)],
  },
} as const satisfies Record<string, DemoEntry>;

/** Small ones, each for the document's example of one kind of parameter. */
export const otherChatAppTemplates: readonly DemoEntry[] = [
  {
    template: { id: 'chat-greeting', category: 'UTILITY', body: { text: 'Hello {{name}}' } },
    params: [namedBody('name', 'Asha')],
  },
  {
    template: {
      id: 'chat-greeting-by-position',
      category: 'UTILITY',
      parameterFormat: 'POSITIONAL',
      body: { text: 'Hello {{1}}' },
    },
    params: [body(1, 'Asha')],
  },
  {
    template: {
      id: 'chat-shop-news',
      category: 'UTILITY',
      header: { format: 'TEXT', text: 'News from {{shop}}' },
      body: { text: 'We have moved.' },
    },
    params: [{ type: 'HeaderNamedParameter', name: 'shop', value: 'Duka' }],
  },
  {
    template: {
      id: 'chat-shop-news-by-position',
      category: 'UTILITY',
      parameterFormat: 'POSITIONAL',
      header: { format: 'TEXT', text: 'News from {{1}}' },
      body: { text: 'We have moved.' },
    },
    params: [{ type: 'HeaderPositionalParameter', position: 1, value: 'Duka' }],
  },
  {
    template: {
      id: 'chat-track-order',
      category: 'UTILITY',
      body: { text: 'Your order is on its way.' },
      buttons: [{ type: 'URL', text: 'Track it', url: `${url}/track/{{tracking}}` }],
    },
    params: [{ type: 'UrlNamedParameter', name: 'tracking', value: '4711' }],
  },
];

function card() {
  return {
    header: { format: 'IMAGE' },
    body: { text: 'Our new {{1}}' },
    buttons: [
      { type: 'URL', text: 'See more', url: `${url}/items/{{1}}` },
      { type: 'QUICK_REPLY', text: 'Reserve' },
    ],
  } as const;
}

function shownCard(item: string, cardIndex: number): ChatAppParameter {
  const value = `${url}/media/${item}.jpg`;
  return {
    type: 'CarouselCardParameter',
    cardIndex,
    value,
    params: [body(1, item), suffix(1, item)],
  };
}
