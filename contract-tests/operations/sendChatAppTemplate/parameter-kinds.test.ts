/** sendChatAppTemplate: each of the fourteen parameters, accepted and rejected. */
import { beforeAll, describe, expect, test } from '@jest/globals';
import { type ChatAppCaller, sharedChatApp } from '../../support/requests/chatapp.ts';
import {
  bodyAt,
  bodyNamed,
  card,
  component,
  copy,
  coupon,
  desc,
  empty,
  long,
  media,
  offer,
  otp,
  type Param,
  picture,
  place,
  reply,
  urlAt,
  wrong,
} from '../../support/requests/chatapp-parameter.ts';

let chat: ChatAppCaller;

beforeAll(async () => {
  chat = await sharedChatApp();
});

interface Row {
  template: string;
  works: Param[];
  fails: Param[];
  result: object[];
}

const variants: Record<string, Row> = {
  BodyNamedParameter: {
    template: 'chat-greeting',
    works: [bodyNamed('name', 'a'.repeat(1000))],
    fails: [bodyNamed('name', '')],
    result: [wrong('BodyNamedParameter', empty('name'))],
  },
  BodyPositionalParameter: {
    template: 'chat-greeting-by-position',
    works: [bodyAt(1)],
    fails: [bodyAt(1), bodyAt(2)],
    result: [wrong('BodyPositionalParameter', "Unknown parameter '2'")],
  },
  HeaderNamedParameter: {
    template: 'chat-shop-news',
    works: [{ type: 'HeaderNamedParameter', name: 'shop', value: 'a'.repeat(50) }],
    fails: [{ type: 'HeaderNamedParameter', name: 'shop', value: 'a'.repeat(51) }],
    result: [component('HEADER', 'Resolved text cannot be longer than 60 characters')],
  },
  HeaderPositionalParameter: {
    template: 'chat-shop-news-by-position',
    works: [{ type: 'HeaderPositionalParameter', position: 1, value: 'Duka' }],
    fails: [{ type: 'HeaderPositionalParameter', position: 1, value: 'a\nb' }],
    result: [wrong('HeaderPositionalParameter', "Value for parameter '1' contains forbidden characters")],
  },
  MediaParameter: {
    template: 'chat-lookbook',
    works: [media(picture)],
    fails: [media('ftp://client.example/picture.jpg')],
    result: [
      wrong('MediaParameter', "Value for parameter 'MediaParameter' must be a public http or https URL"),
    ],
  },
  LocationParameter: {
    template: 'chat-pick-up-point',
    works: [place({ latitude: 90, longitude: -180 })],
    fails: [place({ latitude: 90.5, longitude: -180.5, address: '' })],
    result: [
      wrong('LocationParameter', 'Latitude must be between -90 and 90'),
      wrong('LocationParameter', 'Longitude must be between -180 and 180'),
      wrong('LocationParameter', 'Address must have 1 to 1024 characters and no control characters'),
    ],
  },
  UrlNamedParameter: {
    template: 'chat-track-order',
    works: [{ type: 'UrlNamedParameter', name: 'tracking', value: '4711?lang=sw' }],
    fails: [{ type: 'UrlNamedParameter', name: 'tracking', value: 'a b' }],
    result: [wrong('UrlNamedParameter', "Value for parameter 'tracking' contains forbidden characters")],
  },
  UrlPositionalParameter: {
    template: 'chat-survey',
    works: [urlAt(1)],
    fails: [],
    result: [wrong('UrlPositionalParameter', "Missing required parameter '1'")],
  },
  QuickReplyPayloadParameter: {
    template: 'chat-survey',
    works: [urlAt(1), reply(2, 'p'.repeat(256))],
    fails: [urlAt(1), reply(2, 'p'.repeat(257))],
    result: [wrong('QuickReplyPayloadParameter', long('2', 256))],
  },
  CopyParameter: {
    template: 'chat-voucher',
    works: [copy(1, 'c'.repeat(20))],
    fails: [copy(1, 'c'.repeat(21))],
    result: [wrong('CopyParameter', long('1', 20))],
  },
  CouponCodeParameter: {
    template: 'chat-coupon',
    works: [coupon('c'.repeat(15))],
    fails: [coupon('c'.repeat(16))],
    result: [wrong('CouponCodeParameter', long('CouponCodeParameter', 15))],
  },
  OtpParameter: {
    template: 'chat-one-time-code',
    works: [otp('o'.repeat(15))],
    fails: [otp('o'.repeat(16))],
    result: [wrong('OtpParameter', long('OtpParameter', 15))],
  },
  LimitedTimeOfferParameter: {
    template: 'chat-weekend-offer',
    works: [offer(), coupon()],
    fails: [offer('2020-01-01T00:00:00Z'), coupon()],
    result: [
      wrong(
        'LimitedTimeOfferParameter',
        "Value for parameter 'LimitedTimeOfferParameter' must be in the future",
      ),
    ],
  },
  CarouselCardParameter: {
    template: 'chat-new-arrivals',
    works: [bodyAt(1), card(1), card(0)],
    fails: [bodyAt(1), card(0)],
    result: [wrong('CarouselCardParameter', "Missing required parameter 'card 1'")],
  },
};

test('the table has all fourteen kinds', () => {
  expect(Object.keys(variants)).toHaveLength(14);
});

describe.each(Object.entries(variants))('%s', (kind, { template, works, fails, result }) => {
  test('200 a valid request', async () => {
    expect(works.map(({ type }) => type)).toContain(kind);
    const answer = await chat.send(chat.toMany(template, works));
    expect([answer.status, answer.text]).toEqual([200, expect.any(String)]);
  });

  test('400 TemplateSendToMany: the fault, under errors', async () => {
    const answer = await chat.send(chat.toMany(template, fails, ['0711000000', '0733000000']));
    expect([answer.status, answer.body]).toEqual([400, { desc, result: { errors: result } }]);
  });

  test('400 TemplateSendToEach: the fault, under the phone as written', async () => {
    const answer = await chat.send(
      chat.toEach(template, [
        { phone: '+254 711 000-000', params: fails },
        { phone: '0733000000', params: works },
      ]),
    );
    expect([answer.status, answer.body]).toEqual([400, { desc, result: { '+254 711 000-000': result } }]);
  });
});
