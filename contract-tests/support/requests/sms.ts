/** Bodies and calls that the tests of sendSms share. */
import type { Answer, CallOptions } from '../service/api.ts';
import { type DemoClient, startDemoClient } from '../service/demo-client.ts';

export interface SmsService extends DemoClient {
  /** Sends as the demo client, to its service unless another is named. */
  send: (body: unknown, options?: CallOptions & { serviceId?: string }) => Promise<Answer>;
}

/** A service of its own for one test file. */
export async function startSms(settings: Record<string, string> = {}): Promise<SmsService> {
  const client = await startDemoClient(settings);
  return {
    ...client,
    send: (body, { serviceId = client.demo.smsServiceId, ...options } = {}) =>
      client.post(`/message/${serviceId}`, body, options),
  };
}

/** Different numbers of one channel, delivered at once by the simulator. */
export function phones(count: number, prefix = '+25471100'): string[] {
  return Array.from({ length: count }, (_, index) => `${prefix}${index + 5000}`);
}

export const toMany = (addresses: unknown, message: unknown = 'Habari', more: object = {}) => ({
  type: 'SendToMany',
  addresses,
  message,
  ...more,
});

export const toEach = (messages: unknown, more: object = {}) => ({ type: 'SendToEach', messages, ...more });

export const templateToMany = (
  templateId: unknown,
  addresses: unknown,
  params: unknown,
  more: object = {},
) => ({
  type: 'TemplateSendToMany',
  templateId,
  addresses,
  params,
  ...more,
});

export const templateToEach = (templateId: unknown, messages: unknown, more: object = {}) => ({
  type: 'TemplateSendToEach',
  templateId,
  messages,
  ...more,
});
