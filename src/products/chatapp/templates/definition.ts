/** Validates a new or changed chat-app template and reports all faults at once. */

import { codePoints } from '../../../platform/text/code-points.ts';
import { isHttpUrl } from '../../../platform/text/url.ts';
import { placeholdersOf, substitute } from '../../templates/substitute.ts';
import { rulesOf } from './kinds.ts';
import { longestBody, longestCardBody, longestHeader } from './parameters.ts';
import type { Button, Card, ChatAppTemplate, Part } from './template.ts';

/** How the placeholders are written follows from the texts. */
export type Definition = Pick<ChatAppTemplate, 'category' | 'body' | 'buttons'> &
  Partial<Pick<ChatAppTemplate, 'header' | 'footer' | 'limitedTimeOffer' | 'carousel'>>;

/** A text, by what sentences call it. */
type Named = readonly [what: string, text: string];

const isNumber = (placeholder: string) => /^[0-9]+$/.test(placeholder);

/**
 * Sentences; none for a template that can be filled. A network reports its other rules when it is asked for
 * approval.
 */
export function faultsOfDefinition(definition: Definition): string[] {
  const { header, body, footer, limitedTimeOffer, carousel } = definition;
  const cards = carousel?.cards ?? [];
  return [
    ...(header?.format === 'TEXT' ? textFaults(['the header', header.text], longestHeader) : []),
    ...textFaults(['the body', body.text], longestBody),
    ...(footer === undefined ? [] : plainFaults(['the footer', footer.text])),
    ...buttonFaults(definition.buttons, ''),
    ...(limitedTimeOffer === undefined ? [] : plainFaults(['the offer', limitedTimeOffer.text])),
    ...cards.flatMap(cardFaults),
    ...formatFaults(definition),
    ...categoryFaults(definition),
  ];
}

/** POSITIONAL where header, body or cards have numbered placeholders. */
export function parameterFormatOf(definition: Definition): Part['parameterFormat'] {
  const numbered = fillableTexts(definition).some(([, text]) => placeholdersOf(text).some(isNumber));
  return numbered ? 'POSITIONAL' : 'NAMED';
}

function fillableTexts({ header, body, carousel }: Definition): Named[] {
  return [
    ...(header?.format === 'TEXT' ? [['the header', header.text] as const] : []),
    ['the body', body.text],
    ...(carousel?.cards ?? []).flatMap((card, index) =>
      card.body === undefined ? [] : [[`the body of card ${index}`, card.body.text] as const],
    ),
  ];
}

/** Of a text that parameters may fill. */
function textFaults([what, text]: Named, limit: number): string[] {
  const length = codePoints(text);
  return [
    ...(text.trim() === '' ? [`${what} is empty`] : []),
    ...(length > limit ? [`${what} has ${length} characters, more than ${limit}`] : []),
    ...(/[{}]/.test(substitute(text, () => ''))
      ? [`${what} has braces that are no placeholder such as {{name}} or {{1}}`]
      : []),
  ];
}

/** Of a text that stays as it is. */
function plainFaults([what, text]: Named): string[] {
  return [
    ...(text.trim() === '' ? [`${what} is empty`] : []),
    ...(placeholdersOf(text).length > 0 ? [`${what} takes no placeholder`] : []),
  ];
}

/** `of` says whose buttons they are. */
function buttonFaults(buttons: readonly Button[], of: string): string[] {
  return buttons.flatMap(({ text, url }, index) => {
    const what = `button ${index}${of}`;
    return [
      ...plainFaults([`the text of ${what}`, text]),
      ...(url === undefined ? [] : urlFaults(what, url)),
    ];
  });
}

function urlFaults(what: string, url: string): string[] {
  const bare = substitute(url, () => '');
  const [placeholder] = placeholdersOf(url);
  const suffix = placeholder === undefined ? '' : `{{${placeholder}}}`;
  return [
    ...(isHttpUrl(bare) ? [] : [`the url of ${what} must be an absolute http or https URL`]),
    ...(url === bare + suffix && !/[{}]/.test(bare)
      ? []
      : [`the url of ${what} may have one placeholder, at its end`]),
  ];
}

function cardFaults({ body, buttons }: Card, index: number): string[] {
  const of = ` of card ${index}`;
  return [
    ...(body === undefined ? [] : textFaults([`the body${of}`, body.text], longestCardBody)),
    ...buttonFaults(buttons, of),
    ...(buttons.some(({ type }) => type === 'OTP') ? [`card ${index} takes no OTP button`] : []),
  ];
}

function formatFaults(definition: Definition): string[] {
  const texts = fillableTexts(definition);
  const all = texts.flatMap(([, text]) => placeholdersOf(text));
  if (!all.some(isNumber)) return [];
  if (!all.every(isNumber)) return ['placeholders are all numbers or all names, in header, body and cards'];
  return texts.flatMap(([what, text]) => {
    const numbers = placeholdersOf(text);
    const gapless = numbers.every((_number, index) => numbers.includes(String(index + 1)));
    return gapless ? [] : [`the placeholders of ${what} must be numbered from {{1}} without a gap`];
  });
}

function categoryFaults({ category, buttons, limitedTimeOffer }: Definition): string[] {
  const bound = [
    ...(buttons.some(({ type }) => type === 'OTP') ? [['an OTP button', 'OtpParameter'] as const] : []),
    ...(limitedTimeOffer ? [['a limited-time offer', 'LimitedTimeOfferParameter'] as const] : []),
  ];
  return bound.flatMap(([what, kind]) => {
    const { category: only } = rulesOf<'OtpParameter' | 'LimitedTimeOfferParameter'>(kind);
    return only === category ? [] : [`${what} is only for templates of category ${only}`];
  });
}
