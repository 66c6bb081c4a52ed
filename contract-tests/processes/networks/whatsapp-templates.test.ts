/** What the WhatsApp Cloud API gets for each kind of template parameter: its documented form, written by hand. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startWhatsApp, type TemplateKind, type WhatsApp } from '../../support/networks/whatsapp.ts';

let network: WhatsApp;

beforeAll(async () => {
  network = await startWhatsApp();
});
afterAll(() => network?.dispose());

describe('what is posted to the network', () => {
  const url = 'https://client.example';
  const text = (value: string, name?: string) => ({
    type: 'text',
    ...(name === undefined ? {} : { parameter_name: name }),
    text: value,
  });
  const header = (...parameters: object[]) => ({ type: 'header', parameters });
  const body = (...parameters: object[]) => ({ type: 'body', parameters });
  const button = (sub_type: string, index: number, parameter: object) => ({
    type: 'button',
    sub_type,
    index,
    parameters: [parameter],
  });
  const coupon = (coupon_code: string) => ({ type: 'coupon_code', coupon_code });
  const payload = (value: string) => ({ type: 'payload', payload: value });
  const card = (card_index: number, item: string) => ({
    card_index,
    components: [
      header({ type: 'image', image: { link: `${url}/media/${item}.jpg` } }),
      body(text(item)),
      button('url', 0, text(item)),
    ],
  });

  test.each<[TemplateKind, string, object[]]>([
    [
      'named',
      'chat_order_shipped',
      [
        header(text('Duka', 'shop')),
        body(text('Asha', 'name'), text('4711', 'order')),
        button('url', 0, text('4711')),
      ],
    ],
    ['positional', 'chat_appointment', [header(text('Monday')), body(text('Asha'), text('10:30'))]],
    ['image', 'chat_lookbook', [header({ type: 'image', image: { link: `${url}/media/lookbook.jpg` } })]],
    ['video', 'chat_how_to', [header({ type: 'video', video: { link: `${url}/media/how-to.mp4` } })]],
    [
      'document',
      'chat_invoice',
      [
        header({
          type: 'document',
          document: { link: `${url}/invoices/4711.pdf`, filename: 'invoice-4711.pdf' },
        }),
      ],
    ],
    [
      'location',
      'chat_pick_up_point',
      [
        header({
          type: 'location',
          location: {
            latitude: '-1.286389',
            longitude: '36.817223',
            name: 'Nairobi pick-up point',
            address: 'Kenyatta Avenue, Nairobi',
          },
        }),
      ],
    ],
    [
      'buttons',
      'chat_survey',
      [
        button('quick_reply', 0, payload('survey-4711-never')),
        button('quick_reply', 1, payload('survey-4711-later')),
        button('url', 2, text('4711')),
      ],
    ],
    ['copy', 'chat_voucher', [button('copy_code', 0, coupon('KARIBU-2026'))]],
    ['coupon', 'chat_coupon', [button('copy_code', 0, coupon('SAVE25'))]],
    ['otp', 'chat_one_time_code', [body(text('482913')), button('url', 0, text('482913'))]],
    [
      'offer',
      'chat_weekend_offer',
      [
        button('copy_code', 0, coupon('SAVE25')),
        {
          type: 'limited_time_offer',
          parameters: [
            { type: 'limited_time_offer', limited_time_offer: { expiration_time_ms: 4_102_433_999_000 } },
          ],
        },
      ],
    ],
    [
      'carousel',
      'chat_new_arrivals',
      [body(text('Asha')), { type: 'carousel', cards: [card(0, 'basket'), card(1, 'lamp')] }],
    ],
  ])('the %s template', async (kind, name, components) => {
    const [phoneNumberId] = network.chat.demo.phoneNumberIds;
    await network.send(kind, '+254711000001');
    const [request] = await network.stub.got(1, (one) => one.body.template.name === name);
    expect([request?.url, request?.headers.authorization]).toEqual([
      `/v23.0/${phoneNumberId}/messages`,
      'Bearer canary-token',
    ]);
    expect(request?.body).toEqual({
      messaging_product: 'whatsapp',
      recipient_type: 'individual',
      to: '+254711000001',
      type: 'template',
      template: { name, language: { code: 'en' }, components },
      biz_opaque_callback_data: expect.stringMatching(/^tarishi-\d+$/),
    });
  });
});
