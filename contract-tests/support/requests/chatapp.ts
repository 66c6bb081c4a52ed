/** Bodies and calls that the tests of sendChatAppTemplate share. */
import type { Answer, CallOptions } from '../service/api.ts';
import { type DemoCaller, type DemoClient, startDemoClient } from '../service/demo-client.ts';
import { sharedDemo } from '../shared/service.ts';

export interface ChatAppCaller extends DemoCaller {
  /** Sends as the demo client, to its service unless another is named. */
  send: (body: unknown, options?: CallOptions & { serviceId?: string }) => Promise<Answer>;
  /** A template to many, from the demo's first number. */
  toMany: (templateId: unknown, params: unknown, addresses?: unknown, more?: object) => object;
  /** A template to each, from the demo's first number. */
  toEach: (templateId: unknown, messages: unknown, more?: object) => object;
}

export type ChatAppService = ChatAppCaller & DemoClient;

/** A service of its own, for a test file that changes settings or data, or is after its limits. */
export const startChatApp = async (...how: Parameters<typeof startDemoClient>): Promise<ChatAppService> =>
  extend(await startDemoClient(...how));

/** The service that all test files share. */
export const sharedChatApp = async (): Promise<ChatAppCaller> => extend(await sharedDemo());

function extend<Caller extends DemoCaller>(caller: Caller): Caller & ChatAppCaller {
  const [phoneNumberId] = caller.demo.phoneNumberIds;
  return {
    ...caller,
    send: (body, { serviceId = caller.demo.chatAppServiceId, ...options } = {}) =>
      caller.post(`/message/${serviceId}/chatapp`, body, options),
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
