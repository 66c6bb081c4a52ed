/** What clients send in the lives, and to whom. */
import type { World } from '../world/world.ts';
import type { Ending } from './life.ts';

const dayMs = 24 * 3_600_000;

/** A service of the demo whose messages are offers, and what people reply to. */
export const offers = { serviceId: 'demo-offers', sender: '22140' };

export const phone = '+254711000000';
export const otherPhone = '+254711000001';
/** As networks write it. */
export const number = phone.slice(1);

export const delivered: Ending = {
  phone,
  product: 'sms',
  state: 'Delivered',
  receipt: 'Delivered',
  refunded: false,
};

async function send({ client }: World, path: string, body: object): Promise<void> {
  const response = await client.post(path, body);
  if (response.status !== 200) throw new Error(`${response.status} ${response.body}`);
}

const receipts = ({ networks }: World) => ({
  receiptRequest: { callbackUrl: networks.receiverUrl, correlator: 'life' },
});

export const smsRequest = (
  world: World,
  message: string,
  addresses: readonly string[] = [phone],
  serviceId = world.data.demo.smsServiceId,
) => ({
  path: `/message/${serviceId}`,
  body: { type: 'SendToMany', addresses, message, ...receipts(world) } as object,
});

export const sendSms = (message: string, addresses?: readonly string[]) => (world: World) => {
  const { path, body } = smsRequest(world, message, addresses);
  return send(world, path, body);
};

export const sendOffer = (world: World) => {
  const { path, body } = smsRequest(world, 'Habari', [phone], offers.serviceId);
  return send(world, path, body);
};

export const sendBundle = (world: World) => sendBundles(world, [phone]);

export const sendBundles = (
  world: World,
  phones: readonly string[],
  campaign: string = world.data.demo.campaigns.open,
) =>
  send(world, `/data/${campaign}`, {
    type: 'SendToMany',
    phones,
    denomination: '100MB',
    ...receipts(world),
  });

/** A bundle with an SMS. */
export const bundleRequest = (world: World) => ({
  path: `/data/${world.data.demo.campaigns.open}`,
  body: {
    type: 'SendToEach',
    disbursements: [{ phone, denomination: '100MB', message: 'Enjoy' }],
    messaging: { serviceSelection: { type: 'DefaultService' } },
    ...receipts(world),
  } as object,
});

export const sendBundleWithSms = (world: World) => {
  const { path, body } = bundleRequest(world);
  return send(world, path, body);
};

/** `more`: what else the request has. */
export const chatRequest = (world: World, more: object = {}) => {
  const { chatAppServiceId, phoneNumberIds, chatAppTemplates } = world.data.demo;
  const { id: templateId, params } = chatAppTemplates.otp;
  return {
    path: `/message/${chatAppServiceId}/chatapp`,
    body: {
      type: 'TemplateSendToMany',
      phoneNumberId: phoneNumberIds[0],
      templateId,
      addresses: [phone],
      params,
      ...receipts(world),
      ...more,
    } as object,
  };
};

export const sendChat = (world: World) => {
  const { path, body } = chatRequest(world);
  return send(world, path, body);
};

/** With an SMS in reserve. */
export const chatWithReserve = (world: World, after: number) =>
  chatRequest(world, {
    fallback: { serviceId: world.data.demo.smsServiceId, after, message: 'Habari' },
  });

export const sendChatWithReserve = (after: number) => (world: World) => {
  const { path, body } = chatWithReserve(world, after);
  return send(world, path, body);
};

/** Has receipts posted again whose attempts are exhausted. */
export async function replay({ client }: World): Promise<void> {
  const from = new Date(Date.now() - dayMs).toISOString();
  const { status, body } = await client.post('/receipts/replay', { from, which: 'Exhausted' });
  if (status !== 200) throw new Error(`${status} ${body}`);
}
