/** Shows the plan of a chat-app request: each template as its recipient will see it. */
import type { SendChatAppTemplate } from '../chatapp/command.ts';
import type { ChatAppFacts } from '../chatapp/facts.ts';
import type { AcceptedChatApp } from '../chatapp/plan.ts';
import type { FilledTemplate } from '../chatapp/templates/filled-template.ts';
import { type RenderedTemplate, renderTemplate } from '../chatapp/templates/render-template.ts';
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
