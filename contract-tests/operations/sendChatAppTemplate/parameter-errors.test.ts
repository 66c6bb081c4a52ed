/** sendChatAppTemplate: every sentence that rejects parameters, and their order. */
import { beforeAll, expect, test } from '@jest/globals';
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

const identifier = 'Name must be a non-empty identifier using letters, digits, and underscores';

const sentences: [string, string, Param[], object[]][] = [
  [
    'a malformed name gets only that message',
    'chat-greeting',
    [bodyNamed('name'), bodyNamed('a b', ''), bodyNamed('')],
    [wrong('BodyNamedParameter', identifier)],
  ],
  [
    'a position below 1',
    'chat-greeting-by-position',
    [bodyAt(1), bodyAt(0)],
    [wrong('BodyPositionalParameter', 'Position must be 1 or greater')],
  ],
  [
    'a card index below 0',
    'chat-new-arrivals',
    [bodyAt(1), card(0), card(1), card(-1)],
    [wrong('CarouselCardParameter', 'Card index must be 0 or greater')],
  ],
  [
    'the same name three times is one fault',
    'chat-greeting',
    [bodyNamed('name'), bodyNamed('name'), bodyNamed('name')],
    [wrong('BodyNamedParameter', "Duplicate parameter 'name'")],
  ],
  [
    'named parameters for positional placeholders',
    'chat-greeting-by-position',
    [bodyNamed('name')],
    [
      wrong('BodyNamedParameter', "Parameter 'name' is named, but the placeholders are positional"),
      wrong('BodyPositionalParameter', "Missing required parameter '1'"),
    ],
  ],
  [
    'positional parameters for named placeholders',
    'chat-greeting',
    [bodyAt(1)],
    [
      wrong('BodyPositionalParameter', "Parameter '1' is positional, but the placeholders are named"),
      wrong('BodyNamedParameter', "Missing required parameter 'name'"),
    ],
  ],
  [
    'a card that was not approved',
    'chat-new-arrivals',
    [bodyAt(1), card(0), card(1), card(2)],
    [wrong('CarouselCardParameter', "Unknown parameter 'card 2'")],
  ],
  [
    'the same card twice',
    'chat-new-arrivals',
    [bodyAt(1), card(0), card(0), card(1)],
    [wrong('CarouselCardParameter', "Duplicate parameter 'card 0'")],
  ],
  [
    "a card's own parameters, with the card in front",
    'chat-new-arrivals',
    [bodyAt(1), card(0), card(1, { params: [urlAt(1, ''), bodyNamed('x')] })],
    [
      wrong('UrlPositionalParameter', `Card 1: ${empty('1')}`),
      wrong('BodyNamedParameter', "Card 1: Parameter 'x' is named, but the placeholders are positional"),
      wrong('BodyPositionalParameter', "Card 1: Missing required parameter '1'"),
    ],
  ],
  [
    "a card's filled body is too long",
    'chat-new-arrivals',
    [bodyAt(1), card(0), card(1, { params: [urlAt(1), bodyAt(1, 'a'.repeat(153))] })],
    [component('BODY', 'Card 1: Resolved text cannot be longer than 160 characters')],
  ],
  [
    'a one-time password outside AUTHENTICATION',
    'chat-greeting',
    [bodyNamed('name'), otp()],
    [wrong('OtpParameter', 'OtpParameter is only allowed for templates of category AUTHENTICATION')],
  ],
  [
    'an offer outside MARKETING',
    'chat-greeting',
    [bodyNamed('name'), offer()],
    [
      wrong(
        'LimitedTimeOfferParameter',
        'LimitedTimeOfferParameter is only allowed for templates of category MARKETING',
      ),
    ],
  ],
  [
    'components that the template lacks',
    'chat-lookbook',
    [media(picture), urlAt(1), reply(1), copy(1), coupon(), offer(), card(0)],
    [
      component('BUTTONS', 'There is no URL button with a placeholder'),
      component('BUTTONS', 'There is no QUICK_REPLY button'),
      component('BUTTONS', 'There is no COPY_CODE button'),
      component('LIMITED_TIME_OFFER', 'There is no LIMITED_TIME_OFFER component'),
      component('CAROUSEL', 'There is no CAROUSEL component'),
    ],
  ],
  [
    'a header that the template lacks',
    'chat-greeting',
    [bodyNamed('name'), media(picture)],
    [component('HEADER', 'There is no HEADER component')],
  ],
  [
    'a header of another form',
    'chat-lookbook',
    [{ type: 'HeaderNamedParameter', name: 'shop', value: 'Duka' }, place()],
    [
      component('HEADER', 'The HEADER component is IMAGE and takes no HeaderNamedParameter'),
      component('HEADER', 'The HEADER component is IMAGE and takes no LocationParameter'),
      wrong('MediaParameter', "Missing required parameter 'MediaParameter'"),
    ],
  ],
  [
    'the filled body is too long',
    'chat-greeting',
    [bodyNamed('name', 'a'.repeat(1019))],
    [component('BODY', 'Resolved text cannot be longer than 1024 characters')],
  ],
  [
    'a value longer than any text',
    'chat-greeting',
    [bodyNamed('name', 'a'.repeat(1025))],
    [wrong('BodyNamedParameter', long('name', 1024))],
  ],
  [
    'a file name where no document is',
    'chat-lookbook',
    [media(picture, { filename: 'x.jpg' })],
    [wrong('MediaParameter', 'Filename is only allowed for a DOCUMENT header')],
  ],
  [
    'a file name of 241 characters',
    'chat-invoice',
    [media('https://client.example/1.pdf', { filename: 'f'.repeat(241) })],
    [wrong('MediaParameter', 'Filename must have 1 to 240 characters and no control characters')],
  ],
  [
    'a malformed instant',
    'chat-weekend-offer',
    [offer('tomorrow'), coupon()],
    [
      wrong(
        'LimitedTimeOfferParameter',
        "Value for parameter 'LimitedTimeOfferParameter' must be an RFC 3339 date-time",
      ),
    ],
  ],
  [
    'several: in the order of the request, then the missing ones in the order of the template',
    'chat-order-shipped',
    [bodyNamed('order', ''), bodyNamed('city'), otp(), bodyNamed('order')],
    [
      wrong('BodyNamedParameter', empty('order')),
      wrong('BodyNamedParameter', "Unknown parameter 'city'"),
      wrong('OtpParameter', 'OtpParameter is only allowed for templates of category AUTHENTICATION'),
      wrong('BodyNamedParameter', "Duplicate parameter 'order'"),
      wrong('HeaderNamedParameter', "Missing required parameter 'shop'"),
      wrong('BodyNamedParameter', "Missing required parameter 'name'"),
      wrong('UrlNamedParameter', "Missing required parameter 'tracking'"),
    ],
  ],
];

test.each(sentences)('400 %s', async (_rule, template, params, errors) => {
  const answer = await chat.send(chat.toMany(template, params));
  expect([answer.status, answer.body]).toEqual([400, { desc, result: { errors } }]);
});

test('400 TemplateSendToEach: every failing recipient, and none of the others', async () => {
  const answer = await chat.send(
    chat.toEach('chat-greeting', [
      { phone: '0711000001', params: [] },
      { phone: '0711000002', params: [bodyNamed('name')] },
      { phone: '0711000003', params: [bodyNamed('name', '')] },
    ]),
  );
  expect(answer.body).toEqual({
    desc,
    result: {
      '0711000001': [wrong('BodyNamedParameter', "Missing required parameter 'name'")],
      '0711000003': [wrong('BodyNamedParameter', empty('name'))],
    },
  });
});
