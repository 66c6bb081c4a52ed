/** Renders a filled template or a reply as its recipient sees it: texts with their values, media, buttons, offer and cards. */
import { substitute } from '../../templates/substitute.ts';
import type {
  FilledButton,
  FilledHeader,
  FilledPart,
  FilledTemplate,
  FilledText,
  SessionContent,
  SessionMedia,
} from './filled-template.ts';
import type { Button, ChatAppTemplate, Header, Part } from './template.ts';

export type RenderedHeader =
  | { format: 'TEXT'; text: string }
  | { format: SessionMedia['kind']; url: string; filename?: string }
  | Extract<FilledHeader, { format: 'LOCATION' }>;

export interface RenderedButton {
  type: Button['type'];
  /** What stands on the button. */
  text: string;
  /** The URL it opens, the code it copies, or the payload it returns. */
  value?: string;
}

export interface RenderedPart {
  header?: RenderedHeader;
  body?: string;
  buttons: RenderedButton[];
}

export interface RenderedTemplate extends RenderedPart {
  footer?: string;
  /** `endsAt`: RFC 3339; absent for an offer without an end. */
  offer?: { text: string; endsAt?: string };
  cards?: RenderedPart[];
}

/** `filled` is `template`, filled. */
export function renderTemplate(template: ChatAppTemplate, filled: FilledTemplate): RenderedTemplate {
  const { footer, limitedTimeOffer, carousel } = template;
  const { offerEndsMs, cards = [] } = filled;
  return {
    ...renderPart(template, filled),
    ...(footer === undefined ? {} : { footer: footer.text }),
    ...(limitedTimeOffer === undefined
      ? {}
      : {
          offer: {
            text: limitedTimeOffer.text,
            ...(offerEndsMs === undefined ? {} : { endsAt: new Date(offerEndsMs).toISOString() }),
          },
        }),
    ...(carousel === undefined
      ? {}
      : {
          cards: carousel.cards.map((card, index) =>
            renderPart(card, cards.find((one) => one.index === index) ?? {}),
          ),
        }),
  };
}

/** A file stands where templates have their header, and its caption below it. */
export function renderSession(content: SessionContent): RenderedTemplate {
  if ('text' in content) return { body: content.text, buttons: [] };
  const { kind: format, caption, ...file } = content.media;
  return { header: { format, ...file }, ...(caption === undefined ? {} : { body: caption }), buttons: [] };
}

type Texts = Pick<Part, 'body' | 'buttons'> & { header?: Header };

function renderPart({ header, body, buttons }: Texts, filled: FilledPart): RenderedPart {
  const rendered = header && renderHeader(header, filled.header);
  return {
    ...(rendered === undefined ? {} : { header: rendered }),
    ...(body === undefined ? {} : { body: fillText(body.text, filled.body ?? []) }),
    buttons: buttons.map((button, index) =>
      renderButton(
        button,
        filled.buttons?.find((one) => one.index === index),
      ),
    ),
  };
}

function renderHeader(header: Header, filled: FilledHeader | undefined): RenderedHeader | undefined {
  if (header.format === 'TEXT')
    return { format: 'TEXT', text: fillText(header.text, filled?.format === 'TEXT' ? filled.texts : []) };
  return filled?.format === 'TEXT' ? undefined : filled;
}

function renderButton({ type, text, url }: Button, filled: FilledButton | undefined): RenderedButton {
  const value = url === undefined ? filled?.value : substitute(url, () => filled?.value ?? '');
  return { type, text, ...(value === undefined ? {} : { value }) };
}

/** Values have the names of their placeholders, or the order of their numbers. */
function fillText(text: string, values: readonly FilledText[]): string {
  return substitute(text, (placeholder) => {
    const filled = values.find(({ name }) => name === placeholder) ?? values[Number(placeholder) - 1];
    return filled?.value ?? '';
  });
}
