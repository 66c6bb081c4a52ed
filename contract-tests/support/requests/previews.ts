/** Calls and bodies that the tests of previews share. */
import type { CallOptions } from '../service/api.ts';
import type { DemoCaller } from '../service/demo-client.ts';

/** `id` names another service or campaign than the demo's. */
type Ask = (body: unknown, options?: CallOptions & { id?: string }) => ReturnType<DemoCaller['post']>;

export interface Previews {
  post: DemoCaller['post'];
  token: string;
  sms: Ask;
  data: Ask;
  chatApp: Ask;
  /** A template to many, from the demo's first number. */
  chatAppToMany: (params: unknown, addresses?: unknown, templateId?: string) => object;
}

export function previewsOf({ demo, post, token }: Pick<DemoCaller, 'demo' | 'post' | 'token'>): Previews {
  return {
    post,
    token,
    sms: (body, { id = demo.smsServiceId, ...options } = {}) => post(`/message/${id}/preview`, body, options),
    data: (body, { id = demo.campaigns.open, ...options } = {}) => post(`/data/${id}/preview`, body, options),
    chatApp: (body, { id = demo.chatAppServiceId, ...options } = {}) =>
      post(`/message/${id}/chatapp/preview`, body, options),
    chatAppToMany: (params, addresses = ['0711000000'], templateId = 'chat-order-shipped') => ({
      type: 'TemplateSendToMany',
      phoneNumberId: demo.phoneNumberIds[0],
      templateId,
      addresses,
      params,
    }),
  };
}
