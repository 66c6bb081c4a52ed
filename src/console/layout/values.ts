/** Shows values of resources: as states, links, times and lists, by their names and schemas. */
import type { ManagementOperationId } from '../../../handlers/management/operation.ts';
import type { Schema } from '../../contract/types.ts';
import { type Content, type Html, html } from '../../docs/render/html.ts';
import { type ConnectorCondition, wordsOfCondition } from '../../model/words/connectors.ts';
import { own } from '../../platform/text/own.ts';
import type { PageContext } from '../page.ts';
import { at, type Look, state, written } from './parts.ts';

/** The list of what a property names; its items have their pages below it. */
const references: Readonly<Record<string, string>> = {
  teamId: '/teams',
  clientId: '/clients',
  serviceId: '/services/sms',
  chatAppServiceId: '/services/chat-app',
  campaignId: '/campaigns',
  managedServiceKey: '/senders',
  connector: '/connectors',
  bundleConnector: '/connectors',
  inboundConnectors: '/connectors',
  channel: '/channels',
  requestId: '/requests',
};

/** The operations that list what these pages list. */
const lists: ReadonlyMap<string, ManagementOperationId> = new Map([
  ['/teams', 'listTeams'],
  ['/clients', 'listClients'],
  ['/services/sms', 'listSmsServices'],
  ['/services/chat-app', 'listChatAppServices'],
  ['/campaigns', 'listCampaigns'],
  ['/senders', 'listSenders'],
  ['/connectors', 'listConnectors'],
  ['/channels', 'listChannels'],
  ['/requests', 'listRequests'],
]);

/** Where a property leads, as far as the reader may follow. `others`: of this kind of resource. */
export function referenceOf(
  name: string,
  { may }: Pick<PageContext, 'may'>,
  others: Readonly<Record<string, string>> | undefined,
): { path: string; list: ManagementOperationId } | undefined {
  const path = own(others, name) ?? own(references, name);
  const list = lists.get(path ?? '');
  return path !== undefined && list !== undefined && may(list) ? { path, list } : undefined;
}

/** Values that are states, with their words. */
const states: Readonly<Record<string, readonly [...Look, word: string]>> = {
  'enabled true': ['good', 'check', 'Enabled'],
  'enabled false': ['', 'stop', 'Disabled'],
  'status Active': ['good', 'check', 'Active'],
  'status Inactive': ['', 'stop', 'Inactive'],
  'status Archived': ['', 'stop', 'Archived'],
  'approvalStatus PENDING': ['moving', 'clock', 'Waits for review'],
  'approvalStatus APPROVED': ['good', 'check', 'Approved'],
  'approvalStatus REJECTED': ['bad', 'cross', 'Rejected'],
  'approvalStatus PAUSED': ['fair', 'pause', 'Paused'],
  'approvalStatus DISABLED': ['bad', 'stop', 'Disabled'],
};

const connectorLooks: { readonly [C in ConnectorCondition]: Look } = {
  open: ['good', 'check'],
  unbound: ['bad', 'warn'],
  paused: ['fair', 'pause'],
  faulty: ['bad', 'cross'],
  away: ['fair', 'question'],
};

export const lookOfCondition = (condition: string): Look =>
  own(connectorLooks, condition as ConnectorCondition) ?? ['', 'question'];

const labels: Readonly<Record<string, string>> = {
  id: 'Id',
  at: 'When',
  allowedAddresses: 'Addresses',
  actor: 'Who',
  approvalStatus: 'Review',
  bundleConnector: 'Connector for bundles',
  connector: 'Connector',
  createdAt: 'Added',
  managedServiceKey: 'Sender of the platform',
  mondayToFriday: 'Monday to Friday',
  noun: 'Kind',
  optIns: 'Opt-ins',
  optOuts: 'Opt-outs',
  operationRates: 'Rates of operations',
  paramDefinitions: 'Placeholders',
  params: 'Values',
  pausedUntil: 'Resumes by itself',
  secretNames: 'Secrets',
  ssoName: 'Name at the SSO provider',
  updatedAt: 'Changed',
  validitySeconds: 'Validity in seconds',
};

/** What people call a property: `teamId` is a team. */
export function labelOf(name: string): string {
  const known = own(labels, name);
  if (known !== undefined) return known;
  const words = name
    .replace(/(?<=.)Id$/, '')
    // Abbreviations stay as they are.
    .replace(/(?<![A-Z])[A-Z](?![A-Z])/g, (letter) => ` ${letter.toLowerCase()}`)
    .replace(/\bsms\b/, 'SMS')
    .replace(/\burl\b/, 'URL');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** Inside a sentence: abbreviations stay as they are. */
export const insideSentence = (label: string): string =>
  /^[A-Z]{2}/.test(label) ? label : label.charAt(0).toLowerCase() + label.slice(1);

const names: Readonly<Record<string, string>> = {
  Sms: 'SMS',
  true: 'Yes',
  false: 'No',
  URL: 'URL',
  OTP: 'OTP',
  MobileData: 'Mobile data',
  ChatApp: 'Chat app',
  smpp: 'SMPP',
  whatsapp: 'WhatsApp',
};

/** A word of an enumeration: `MARKETING` is marketing. */
export function wordOf(value: string): string {
  const known = own(names, value);
  if (known !== undefined || !/^([A-Z][A-Z_]+|[a-z-]+)$/.test(value)) return known ?? value;
  return value.charAt(0).toUpperCase() + value.slice(1).toLowerCase().replaceAll('_', ' ');
}

export interface Showing {
  /** Pages that this kind of resource names otherwise. */
  references?: Readonly<Record<string, string>> | undefined;
  /** In a cell long lists are counted. */
  inCell?: boolean;
  /** An object in a list is one line. */
  inList?: boolean;
}

type Reading = Pick<PageContext, 'may' | 'times'>;

/** Undefined for what is absent or empty. */
export function show(
  name: string,
  schema: Schema | undefined,
  value: unknown,
  reading: Reading,
  showing: Showing = {},
): Content {
  if (value === undefined || value === null || value === '') return undefined;
  if (name === 'condition' && typeof value === 'string')
    return state(...lookOfCondition(value), wordsOfCondition(value).word);
  const known = own(states, `${name} ${value}`);
  if (known !== undefined) return state(...known);
  if (typeof value === 'boolean') return value ? 'Yes' : 'No';
  if (typeof value === 'number') return name === 'port' ? String(value) : value.toLocaleString('en');
  if (Array.isArray(value)) return list(name, schema?.items, value, reading, showing);
  if (typeof value === 'object') return parts(schema, value as Record<string, unknown>, reading, showing);
  const text = String(value);
  if (name === 'uses') return useWords(text);
  if (schema?.format === 'date-time') return reading.times.show(text);
  if (enumOf(schema) !== undefined) return wordOf(text);
  const reference = referenceOf(name, reading, showing.references);
  if (reference !== undefined)
    return html`<a href="${at(`${reference.path}/${encodeURIComponent(text)}`)}">${text}</a>`;
  return written(text);
}

/** The same of an item, whose other values may say more: what is active until a time that is over has expired. */
export function showOf(
  item: Readonly<Record<string, unknown>>,
  name: string,
  schema: Schema | undefined,
  reading: Reading & Pick<PageContext, 'now'>,
  showing: Showing = {},
): Content {
  const value = own(item, name);
  const { expiresAt } = item;
  const isOver = name === 'status' && value === 'Active' && typeof expiresAt === 'string';
  if (isOver && Date.parse(expiresAt) <= reading.now) return state('', 'stop', 'Expired');
  return show(name, schema, value, reading, showing);
}

/** What a connector is used for, such as `Sms/Safaricom`. */
function useWords(use: string): string {
  const [product = '', ...name] = use.split('/');
  return `${product === 'MobileData' ? 'bundles' : wordOf(product)} for ${name.join('/')}`;
}

/** The words that a value may be. */
export function enumOf(schema: Schema | undefined): string[] | undefined {
  const words = schema?.enum ?? schema?.anyOf?.find((one) => one.enum !== undefined)?.enum;
  return words?.filter((one) => one !== null);
}

const mostInCell = 3;

function list(
  name: string,
  schema: Schema | undefined,
  values: readonly unknown[],
  reading: Reading,
  showing: Showing,
): Content {
  if (values.length === 0) return undefined;
  if (showing.inCell)
    return values.length > mostInCell || typeof values[0] === 'object'
      ? values.length.toLocaleString('en')
      : values.map((value, place) => [place > 0 && ', ', show(name, schema, value, reading, showing)]);
  return html`<ul class="plain">${values.map((value) => html`<li>${show(name, schema, value, reading, { ...showing, inList: true })}</li>`)}</ul>`;
}

function parts(
  schema: Schema | undefined,
  value: Record<string, unknown>,
  reading: Reading,
  showing: Showing,
): Content {
  const entries = Object.entries(value);
  if (entries.length === 0) return undefined;
  if (showing.inCell) return entries.length.toLocaleString('en');
  const isFlat = (one: unknown) => one === null || typeof one !== 'object';
  const isLine = (one: unknown) =>
    isFlat(one) || (showing.inList && Object.values(one as object).every(isFlat));
  if (!entries.every(([, inner]) => isLine(inner))) return json(value);
  const words = entries.map(
    ([name, inner]) =>
      html`${own(schema?.properties, name) === undefined ? name : labelOf(name)}: ${
        show(name, own(schema?.properties, name), inner, reading, showing) ?? '–'
      }`,
  );
  return showing.inList
    ? words.map((word, place) => [place > 0 && ' · ', word])
    : html`<ul class="plain">${words.map((word) => html`<li>${word}</li>`)}</ul>`;
}

const json = (value: unknown): Html =>
  html`<details><summary>In JSON</summary><pre tabindex="0">${JSON.stringify(value, undefined, 2)}</pre></details>`;
