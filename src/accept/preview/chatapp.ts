/** Shows the plan of a chat-app request: each template as its recipient will see it. */
import type { SendChatApp } from '../../products/chatapp/command.ts';
import type { ChatAppFacts } from '../../products/chatapp/facts.ts';
import type { AcceptedChatApp } from '../../products/chatapp/plan.ts';
import type { FilledTemplate, SessionContent } from '../../products/chatapp/templates/filled-template.ts';
import {
  type RenderedTemplate,
  renderSession,
  renderTemplate,
} from '../../products/chatapp/templates/render-template.ts';
import type { FindOptedOut } from '../../products/consent/opt-out.ts';
import { findOptOuts } from './opt-outs.ts';
import type { View } from './preview.ts';
import { leavingOf } from './quiet-hours.ts';
import { notSubmitted, type ShownText, type SplitBy, textOf } from './sms.ts';

export interface ShownChatAppMessage extends Partial<RenderedTemplate> {
  written: string;
  phone?: string;
  units?: number;
  /** The SMS in reserve. */
  fallback?: ShownText;
  scheduledFor?: string;
}

export function chatAppView(
  loadSplit: () => Promise<SplitBy>,
  find: FindOptedOut,
): View<SendChatApp, ChatAppFacts, AcceptedChatApp, ShownChatAppMessage> {
  return {
    operation: 'previewChatAppTemplate',
    variantOf: ({ template }) => {
      const category = template?.category ?? 'SERVICE';
      return ({ product }) => (product === 'sms' ? '' : category);
    },
    show: async ({ plan, recipients }, { template, sms }) => {
      const [splitBy, optOutOf] = await Promise.all([loadSplit(), findOptOuts(plan, find, notSubmitted)]);
      return recipients.map((recipient) => {
        const {
          written,
          phone,
          messages: [message, reserve],
          problems,
        } = recipient;
        const leaving = leavingOf(message);
        return {
          written,
          ...(phone === undefined ? {} : { phone }),
          ...(message === undefined
            ? {}
            : { units: message.units, ...render(template, JSON.parse(message.content)) }),
          ...(reserve === undefined || sms === undefined
            ? {}
            : { fallback: textOf(reserve, sms.channels, splitBy) }),
          ...leaving.shown,
          problems: [...problems, ...optOutOf(recipient), ...leaving.problems],
        };
      });
    },
  };
}

/** A reply has no template. */
function render(
  template: ChatAppFacts['template'],
  content: FilledTemplate | SessionContent,
): RenderedTemplate {
  if ('text' in content || 'media' in content) return renderSession(content);
  if (template === undefined) throw new Error('a filled template without its template');
  return renderTemplate(template, content);
}
