/** Shows chat-app templates as the app shows them. */

import { counted } from '../../platform/text/counted.ts';
import { own } from '../../platform/text/own.ts';
import { parameterFormatOf } from '../../products/chatapp/templates/definition.ts';
import { sampleParameters } from '../../products/chatapp/templates/kinds.ts';
import type { ChatAppTemplate } from '../../products/chatapp/templates/template.ts';
import { asRefused, sentencesOf } from '../errors.ts';
import { html } from '../html.ts';
import { notice } from '../layout/parts.ts';
import type { Draw } from '../resources/definition.ts';
import { chatMessage, type DrawnPart, phone } from './phone.ts';

interface Preview extends DrawnPart {
  units: number;
  cards?: readonly DrawnPart[];
}

type Components = Omit<ChatAppTemplate, 'parameterFormat'>;

/** What somebody types may lack any part of a template: then there are none, and the API says what is wrong. */
function samplesOf(components: Components, category: ChatAppTemplate['category'], nowMs: number) {
  try {
    const definition = { ...components, category };
    return sampleParameters({ ...definition, parameterFormat: parameterFormatOf(definition) }, nowMs);
  } catch (error) {
    if (error instanceof TypeError) return [];
    throw error;
  }
}

/** With a sample in every place. */
export const drawChatApp: Draw = async (page, item, { unsaved }) => {
  const components = (own(unsaved, 'components') ?? item.components) as Components;
  const category = (own(unsaved, 'category') ?? item.category) as ChatAppTemplate['category'];
  const sender = String(item.teamId);
  try {
    const params = samplesOf(components, category, page.now);
    const answer = await page.api.send(page.api.operation('previewChatAppTemplate'), {
      path: { chatAppTemplateId: String(item.id) },
      body: { params, ...(own(unsaved, 'components') === undefined ? {} : { components }) },
    });
    const { units, cards = [], ...message } = answer.body as Preview;
    return {
      fields: html``,
      drawn: phone(
        sender,
        [chatMessage(message), ...cards.map(chatMessage)],
        html`<p class="cost">${counted(units, 'unit')}</p><p class="hint">Samples fill its places.</p>`,
      ),
    };
  } catch (error) {
    const refused = asRefused(error);
    if (refused.status !== 400) throw error;
    return { fields: html``, drawn: phone(sender, [], notice('bad', sentencesOf(refused).join(' '))) };
  }
};
