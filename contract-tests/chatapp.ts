/** Bodies and calls that the tests of sendChatAppTemplate share. */
import { type Answer, type CallOptions, call, tokenFor } from './api.ts';
import { type Service, startService } from './service.ts';

export interface ChatAppService {
  service: Service;
  demo: Service['demo'];
  /** Sends as the demo client, to its service unless another is named. */
  send: (body: unknown, options?: CallOptions & { serviceId?: string }) => Promise<Answer>;
  /** A template to many, from the demo's first number. */
  toMany: (templateId: unknown, params: unknown, addresses?: unknown, more?: object) => object;
  /** A template to each, from the demo's first number. */
  toEach: (templateId: unknown, messages: unknown, more?: object) => object;
  token: string;
}

/** A service of its own for one test file. */
export async function startChatApp(settings: Record<string, string> = {}): Promise<ChatAppService> {
  const service = await startService(settings);
  const { demo } = service;
  const token = await tokenFor(demo.baseUrl, demo);
  const [phoneNumberId] = demo.phoneNumberIds;
  return {
    service,
    demo,
    token,
    send: (body, { serviceId = demo.chatAppServiceId, ...options } = {}) =>
      call(demo.baseUrl, `/message/${serviceId}/chatapp`, { token, body, ...options }),
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
