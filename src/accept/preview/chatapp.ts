/** Shows the plan of a chat-app request: each template as its recipient will see it. */
import type { SendChatAppTemplate } from '../../products/chatapp/command.ts';
import type { ChatAppFacts } from '../../products/chatapp/facts.ts';
import type { AcceptedChatApp } from '../../products/chatapp/plan.ts';
import type { FilledTemplate } from '../../products/chatapp/templates/filled-template.ts';
import { type RenderedTemplate, renderTemplate } from '../../products/chatapp/templates/render-template.ts';
import type { View } from './preview.ts';

export interface ShownChatAppMessage extends Partial<RenderedTemplate> {
  written: string;
  phone?: string;
  units?: number;
}

export function chatAppView(): View<SendChatAppTemplate, ChatAppFacts, AcceptedChatApp, ShownChatAppMessage> {
  return {
    operation: 'previewChatAppTemplate',
    variantOf: ({ template }) => {
      const category = template?.category ?? '';
      return () => category;
    },
    show: async ({ recipients }, { template }) =>
      recipients.map(({ written, phone, messages: [message], problems }) => ({
        written,
        ...(phone === undefined ? {} : { phone }),
        ...(message === undefined || template === undefined
          ? {}
          : {
              units: message.units,
              ...renderTemplate(template, JSON.parse(message.content) as FilledTemplate),
            }),
        problems,
      })),
  };
}
