/** Shows SMS templates as phones show them, and reviews them. */

import { asTyped, type Content, type Html, html } from '../../docs/render/html.ts';
import { previewNewSmsTemplate } from '../../manage/messaging/sms-previews.ts';
import { counted } from '../../platform/text/counted.ts';
import { own } from '../../platform/text/own.ts';
import { placeholdersOf } from '../../products/templates/substitute.ts';
import type { ParamDefinition } from '../../products/templates/template.ts';
import type { PageContext } from '../page.ts';
import type { Draw, Item } from '../resources/definition.ts';
import { phone, undrawn, unwritten } from './phone.ts';

/** For values that nobody has given: what the rules of the placeholder allow. */
const samples: ReadonlyMap<string, string> = new Map([
  ['Numeric', '4711'],
  ['Name', 'Asha'],
  ['Alphanumeric', 'AB4711'],
]);

function sampleOf(name: string, rules: readonly ParamDefinition[]): string {
  const rule = rules.find((one) => one.name === name);
  const sample = rule?.default ?? samples.get(rule?.format ?? '') ?? name;
  return sample.slice(0, rule?.maxLength ?? sample.length);
}

/** The fields that the faults of a definition are about. */
export const blamedInSms: readonly (readonly [RegExp, string])[] = [
  [/^the content/, 'content'],
  [/parameter \S+ /, 'paramDefinitions'],
];

export const drawSms: Draw = async (page, item, { unsaved, filled }) => {
  const content = String(own(unsaved, 'content') ?? item?.content ?? '');
  const rules = (own(unsaved, 'paramDefinitions') ?? item?.paramDefinitions ?? []) as ParamDefinition[];
  const values = placeholdersOf(content).map((name) => ({
    name,
    value: filled.get(fieldOf(name)) || sampleOf(name, rules),
  }));
  return { fields: fields(values), drawn: await drawn(page, { item, unsaved, values, rules, content }) };
};

const fieldOf = (name: string) => `value.${name}`;

interface Filled {
  name: string;
  value: string;
}

function fields(values: readonly Filled[]): Html {
  return html`${values.map(
    ({ name, value }) =>
      html`<div class="field"><label for="value-${name}">Value of <code>${name}</code> <span class="optional">for the preview</span></label><input id="value-${name}" name="${fieldOf(name)}" type="text" dir="auto" autocomplete="off" value="${asTyped(value)}"></div>`,
  )}`;
}

interface Drawn {
  item: Item | undefined;
  unsaved: Item;
  values: readonly Filled[];
  rules: readonly ParamDefinition[];
  content: string;
}

async function drawn(page: PageContext, { item, unsaved, values, rules, content }: Drawn): Promise<Html> {
  const sender = await senderOf(page, { ...item, ...unsaved });
  // Nothing is written yet.
  if (item === undefined && content === '') return phone(sender, [], unwritten);
  // Rules without a place are refused; the text may have lost it a moment ago.
  const places = placeholdersOf(content);
  const isNew = own(unsaved, 'content') !== undefined || own(unsaved, 'paramDefinitions') !== undefined;
  const body = {
    params: [...values],
    ...(isNew ? { content, paramDefinitions: rules.filter(({ name }) => places.includes(name)) } : {}),
  };
  try {
    if (item === undefined) {
      const preview = previewNewSmsTemplate({ content, paramDefinitions: rules }, values);
      return phone(sender, [preview.text], costOf(preview));
    }
    const operation = page.api.operation('previewSmsTemplate');
    const answer = await page.api.send(operation, { path: { templateId: String(item.id) }, body });
    const preview = answer.body as Preview;
    return phone(sender, [preview.text], costOf(preview));
  } catch (error) {
    return undrawn(sender, [content], error);
  }
}

/** As recipients see it. */
async function senderOf({ api, may }: PageContext, { managedServiceKey: key }: Item): Promise<string> {
  if (typeof key !== 'string' || key === '') return 'Sender of the service';
  if (!may('getSender')) return key;
  return (await api.call('getSender', { path: { senderId: key } })).body.sender;
}

interface Preview {
  text: string;
  characters: number;
  units: number;
  encoding: string;
  parts: number;
  outsideGsm7: readonly string[];
}

function costOf({ characters, units, encoding, parts, outsideGsm7 }: Preview): Content {
  const few = outsideGsm7.slice(0, 5).join(' ');
  return html`<p class="cost">${encoding} · ${counted(characters, 'character')} · ${counted(parts, 'part')} · ${counted(units, 'unit')}</p>${
    outsideGsm7.length > 0 &&
    html`<p class="hint"><bdi>${few}</bdi> ${outsideGsm7.length === 1 ? 'makes' : 'make'} this ${encoding}: 70 instead of 160 characters.</p>`
  }`;
}
