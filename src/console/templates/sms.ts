/** Shows SMS templates as phones show them, and reviews them. */

import { counted } from '../../platform/text/counted.ts';
import { own } from '../../platform/text/own.ts';
import { placeholdersOf } from '../../products/templates/substitute.ts';
import { asRefused, sentencesOf } from '../errors.ts';
import { asTyped, type Content, type Html, html } from '../html.ts';
import { notice } from '../layout/parts.ts';
import type { PageContext } from '../page.ts';
import type { Draw, Item } from '../resources/definition.ts';
import { phone } from './phone.ts';

interface Rule {
  name: string;
  format: string;
  default?: string;
  maxLength?: number;
}

/** For values that nobody has given: what the rules of the placeholder allow. */
const samples: ReadonlyMap<string, string> = new Map([
  ['Numeric', '4711'],
  ['Name', 'Asha'],
  ['Alphanumeric', 'AB4711'],
]);

function sampleOf(name: string, rules: readonly Rule[]): string {
  const rule = rules.find((one) => one.name === name);
  const sample = rule?.default ?? samples.get(rule?.format ?? '') ?? name;
  return sample.slice(0, rule?.maxLength ?? sample.length);
}

export const drawSms: Draw = async (page, item, { unsaved, filled }) => {
  const content = String(own(unsaved, 'content') ?? item.content ?? '');
  const rules = (own(unsaved, 'paramDefinitions') ?? item.paramDefinitions ?? []) as Rule[];
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
  item: Item;
  unsaved: Item;
  values: readonly Filled[];
  rules: readonly Rule[];
  content: string;
}

async function drawn(page: PageContext, { item, unsaved, values, rules, content }: Drawn): Promise<Html> {
  const sender = await senderOf(page, item);
  // Rules without a place are refused; the text may have lost it a moment ago.
  const places = placeholdersOf(content);
  const isNew = own(unsaved, 'content') !== undefined || own(unsaved, 'paramDefinitions') !== undefined;
  const body = {
    params: [...values],
    ...(isNew ? { content, paramDefinitions: rules.filter(({ name }) => places.includes(name)) } : {}),
  };
  try {
    const operation = page.api.operation('previewSmsTemplate');
    const answer = await page.api.send(operation, { path: { templateId: String(item.id) }, body });
    const preview = answer.body as Preview;
    return phone(sender, [preview.text], costOf(preview));
  } catch (error) {
    const refused = asRefused(error);
    if (refused.status !== 400) throw error;
    return phone(sender, [content], notice('bad', sentencesOf(refused).join(' ')));
  }
}

/** As recipients see it. */
async function senderOf({ api, may }: PageContext, { managedServiceKey: key }: Item): Promise<string> {
  if (typeof key !== 'string') return 'Sender of the service';
  if (!may('getManagedSender')) return key;
  return (await api.call('getManagedSender', { path: { managedSenderKey: key } })).body.sender;
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
