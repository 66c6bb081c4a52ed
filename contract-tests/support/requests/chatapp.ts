/** Bodies and calls that the tests of sendChatAppTemplate share. */
import type { Answer, CallOptions } from '../service/api.ts';
import { type DemoClient, startDemoClient } from '../service/demo-client.ts';

export interface ChatAppService extends DemoClient {
  /** Sends as the demo client, to its service unless another is named. */
  send: (body: unknown, options?: CallOptions & { serviceId?: string }) => Promise<Answer>;
  /** A template to many, from the demo's first number. */
  toMany: (templateId: unknown, params: unknown, addresses?: unknown, more?: object) => object;
  /** A template to each, from the demo's first number. */
  toEach: (templateId: unknown, messages: unknown, more?: object) => object;
}

/** A service of its own for one test file. */
export async function startChatApp(settings: Record<string, string> = {}): Promise<ChatAppService> {
  const client = await startDemoClient(settings);
  const [phoneNumberId] = client.demo.phoneNumberIds;
  return {
    ...client,
    send: (body, { serviceId = client.demo.chatAppServiceId, ...options } = {}) =>
      client.post(`/message/${serviceId}/chatapp`, body, options),
    toMany: (templateId, params, addresses = ['+254711000000'], more = {}) => ({
      type: 'TemplateSendToMany',
      phoneNumberId,
      templateId,
      addresses,
      params,
      ...more,
    }),
    toEach: (templateId, messages, more = {}) => ({
      type: 'TemplateSendToEach',
      phoneNumberId,
      templateId,
      messages,
      ...more,
    }),
  };
}
