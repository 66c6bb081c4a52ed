/** The running service with its chat-app numbers at a stub of the WhatsApp Cloud API. */
import {
  type Received,
  type Stub,
  type StubAnswer,
  startStub,
} from '../../../src/connectors/http/provider-testing.ts';
import type { Demo } from '../../../src/demo/file.ts';
import { addConnector } from '../prepared/connectors.ts';
import { type ChatAppService, startChatApp } from '../requests/chatapp.ts';

export type TemplateKind = keyof Demo['chatAppTemplates'];

export interface WhatsApp {
  chat: ChatAppService;
  stub: Stub;
  /** The usual response of the stub: it accepts the message, `lastId` is its id. */
  taken: () => Exclude<StubAnswer, string>;
  lastId: () => string;
  /** Sends a template to one number; returns the service's response. */
  send: (kind: TemplateKind, phone: string, receiptRequest?: object) => Promise<void>;
  dispose: () => Promise<void>;
}

export const secrets = {
  token: 'canary-token',
  appSecret: 'canary-app-secret',
  verifyToken: 'canary-verify',
};

export async function startWhatsApp(): Promise<WhatsApp> {
  let sent = 0;
  const taken = () => {
    sent += 1;
    return { status: 200, body: { messages: [{ id: `wamid.${sent}` }] } };
  };
  const stub = await startStub(taken);
  const settings = { baseUrl: stub.url, timeoutSeconds: 1, statusWaitSeconds: 5 };
  const chat = await startChatApp({}, async (prepared) => {
    await addConnector(prepared, { name: 'meta', kind: 'whatsapp', settings, secrets });
    const { phoneNumberIds } = prepared.demo;
    await prepared.knex('chatapp_numbers').whereIn('id', phoneNumberIds).update({ connector: 'meta' });
  });
  const { chatAppTemplates } = chat.demo;
  return {
    chat,
    stub,
    taken,
    lastId: () => `wamid.${sent}`,
    send: async (kind, phone, receiptRequest) => {
      const { id, params } = chatAppTemplates[kind];
      const more = receiptRequest === undefined ? {} : { receiptRequest };
      const answer = await chat.send(chat.toMany(id, params, [phone], more));
      if (answer.status !== 200) throw new Error(answer.text);
    },
    dispose: async () => {
      await chat.service.dispose();
      await stub.close();
    },
  };
}

export const to = (phone: string) => (request: Received) => request.body?.to === phone;
