/** Templates for the tests of the chat-app rules. */
import type { ChatAppTemplate } from './template.ts';

/** An approved template with named placeholders and no component but a body. */
export function template(parts: Partial<ChatAppTemplate> = {}): ChatAppTemplate {
  return {
    id: 'greeting',
    name: 'greeting',
    language: 'en',
    category: 'UTILITY',
    parameterFormat: 'NAMED',
    status: 'Active',
    approvalStatus: 'APPROVED',
    body: { text: 'Hello' },
    buttons: [],
    ...parts,
  };
}
