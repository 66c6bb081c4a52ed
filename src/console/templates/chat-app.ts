/** Shows chat-app templates as the app shows them. */

import { type Html, html } from '../../docs/render/html.ts';
import { previewNewChatAppTemplate } from '../../manage/messaging/chatapp-previews.ts';
import { counted } from '../../platform/text/counted.ts';
import { own } from '../../platform/text/own.ts';
import { parameterFormatOf } from '../../products/chatapp/templates/definition.ts';
import { sampleParameters } from '../../products/chatapp/templates/kinds.ts';
import type { ChatAppTemplate } from '../../products/chatapp/templates/template.ts';
import type { Draw } from '../resources/definition.ts';
import { chatMessage, type DrawnPart, phone, undrawn, unwritten } from './phone.ts';

interface Preview extends DrawnPart {
  /** Unknown of a new template. */
  units?: number;
  cards?: readonly DrawnPart[];
}

type Components = Omit<ChatAppTemplate, 'parameterFormat'>;

function samplesOf(components: Components, category: ChatAppTemplate['category'], nowMs: number) {
  const definition = { ...components, category };
  return sampleParameters({ ...definition, parameterFormat: parameterFormatOf(definition) }, nowMs);
}

/** With a sample in every place. */
export const drawChatApp: Draw = async (page, item, { unsaved }) => {
  const components = (own(unsaved, 'components') ?? item?.components) as Components;
  const category = (own(unsaved, 'category') ?? item?.category) as ChatAppTemplate['category'];
  const sender = String(item?.teamId ?? own(unsaved, 'teamId') ?? page.reader.teamId ?? 'Team');
  // Nothing is written yet.
  if (item === undefined && components?.body === undefined) return { drawn: phone(sender, [], unwritten) };
  try {
    const params = samplesOf(components, category, page.now);
    if (item === undefined)
      return {
        drawn: drawn(sender, previewNewChatAppTemplate({ components, category }, params, page.now)),
      };
    const answer = await page.api.send(page.api.operation('previewChatAppTemplate'), {
      path: { chatAppTemplateId: String(item.id) },
      body: { params, ...(own(unsaved, 'components') === undefined ? {} : { components }) },
    });
    return { drawn: drawn(sender, answer.body as Preview) };
  } catch (error) {
    return { drawn: undrawn(sender, [], error) };
  }
};

function drawn(sender: string, { units, cards = [], ...message }: Preview): Html {
  return phone(
    sender,
    [chatMessage(message), ...cards.map(chatMessage)],
    html`${units !== undefined && html`<p class="cost">${counted(units, 'unit')}</p>`}<p class="hint">Samples fill its places.</p>`,
  );
}

/** The fields that the faults of a definition are about. */
export const blamedInChatApp: readonly (readonly [RegExp, string])[] = [
  [/^the header|of the header/, 'components.header.text'],
  [/^the footer/, 'components.footer.text'],
  [/^the offer|^a limited-time offer/, 'components.limitedTimeOffer.text'],
  [/\bcard \d/, 'components.carousel.cards'],
  [/\bbutton \d|^an OTP button/, 'components.buttons'],
  [/^the body|of the body|^placeholders/, 'components.body.text'],
];
