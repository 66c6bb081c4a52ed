/** Reads what a team sends with: services, senders, templates and campaigns, newest first. */
import type { Knex } from 'knex';
import type { Category } from '../model/plan.ts';
import type { ProductName } from '../model/products.ts';
import { errors } from '../platform/errors.ts';
import type { ParameterKind } from '../products/chatapp/templates/parameter.ts';
import { type Slot, slotsOf } from '../products/chatapp/templates/slots.ts';
import { cardPart, type Part } from '../products/chatapp/templates/template.ts';
import type { Frequency } from '../products/data/campaign.ts';
import type { SenderUse } from '../products/sms/sender.ts';
import type { SenderKind } from '../products/sms/sender-rules.ts';
import { placeholdersOf } from '../products/templates/substitute.ts';
import type { ParamDefinition } from '../products/templates/template.ts';
import { type ReadSlice, sliceOf } from './page.ts';

export interface Service {
  product: ProductName;
  id: string;
  name: string;
  status: 'Active' | 'Inactive';
  /** Of SMS services. */
  sender?: string;
  /** Of chat-app services. */
  phoneNumbers?: { phoneNumberId: string; phone: string }[];
  createdAt: string;
}

export interface Sender {
  product: ProductName;
  id: string;
  sender: string;
  kind: SenderKind | 'ChatApp';
  category?: Category;
  keyword?: string;
  status: SenderUse['status'];
  uses: Omit<SenderUse, 'registrations'>[];
  reviewComment?: string;
  createdAt: string;
}

export interface Template {
  product: ProductName;
  id: string;
  category: 'MARKETING' | 'UTILITY' | 'AUTHENTICATION';
  status: 'Active' | 'Archived';
  approvalStatus: 'PENDING' | 'APPROVED' | 'REJECTED' | 'PAUSED' | 'DISABLED';
  reviewComment?: string;
  description?: string;
  managedServiceKey?: string;
  /** Of a chat-app template, at its network. */
  name?: string;
  language?: string;
  content: string;
  params: TemplateSlot[];
  createdAt: string;
  updatedAt: string;
}

/** What a request fills, by the properties that the parameter has in a request. */
export interface TemplateSlot extends Partial<Omit<ParamDefinition, 'required' | 'default'>> {
  type?: ParameterKind;
  position?: number;
  cardIndex?: number;
  /** Of a card. */
  params?: PlainSlot[];
  required: boolean;
  defaultValue?: string;
}

/** A place of a chat-app template outside of its cards, or of one of them. */
interface PlainSlot {
  type: ParameterKind;
  name?: string;
  position?: number;
  required: boolean;
}

export interface Campaign {
  id: string;
  name: string;
  status: 'Active' | 'Archived';
  serviceId: string;
  allowedDenominations: string[];
  frequency: Frequency;
  expiresAt?: string;
  createdAt: string;
}

/** Each query names the team's resources as JSON without what is null. */
interface Row {
  /** Beside the id: resources of two products may have the same. */
  product: string;
  id: string;
  createdAt: Date;
  /** With microseconds, which a Date lacks. */
  instant: string;
  // biome-ignore lint/suspicious/noExplicitAny: the columns of several tables, named by the queries below.
  resource: any;
}

const services = `
  select 'Sms' as product, id, created_at, json_build_object('name', name, 'status', status, 'sender', sender)
    as resource
  from services where team_id = :teamId
  union all
  select 'ChatApp', s.id, s.created_at, json_build_object('name', s.name, 'status', s.status, 'phoneNumbers',
    coalesce((select json_agg(json_build_object('phoneNumberId', n.id, 'phone', n.phone) order by n.id)
      from chatapp_numbers n where n.service_id = s.id), '[]'))
  from chatapp_services s where s.team_id = :teamId`;

const senders = `
  select 'Sms' as product, id, created_at, json_build_object('sender', sender, 'kind', kind, 'category', category,
    'keyword', keyword, 'status', status, 'uses', (
      select coalesce(jsonb_agg(use - 'registrations' order by place), '[]')
      from jsonb_array_elements(uses) with ordinality as u(use, place)
    ), 'reviewComment', review_comment) as resource
  from senders where team_id = :teamId
  union all
  select 'ChatApp', n.id, n.created_at, json_build_object('sender', n.phone, 'kind', 'ChatApp', 'status', 'Approved',
    'uses', '[{"status": "Approved"}]'::json)
  from chatapp_numbers n join chatapp_services s on s.id = n.service_id where s.team_id = :teamId`;

const templates = `
  select 'Sms' as product, id, created_at, json_build_object('category', category, 'status', status,
    'approvalStatus', approval_status, 'reviewComment', review_comment, 'description', description,
    'managedServiceKey', managed_service_key, 'content', content, 'definitions', param_definitions,
    'updatedAt', updated_at) as resource
  from sms_templates where team_id = :teamId
  union all
  select 'ChatApp', id, created_at, json_build_object('category', category, 'status', status,
    'approvalStatus', approval_status, 'reviewComment', review_comment, 'name', name, 'language', language,
    'content', components #>> '{body,text}', 'part', components || jsonb_build_object('category', category,
      'parameterFormat', parameter_format), 'updatedAt', updated_at)
  from chatapp_templates where team_id = :teamId`;

const campaigns = `
  select '' as product, id, created_at, json_build_object('name', name, 'status', status, 'serviceId', service_id,
    'allowedDenominations', allowed_denominations, 'frequency', frequency, 'expiresAt', expires_at) as resource
  from campaigns where team_id = :teamId`;

/** One kind of resource: how it is read, and what clients see of it. */
interface Kind<Resource> {
  query: string;
  resourceOf: (row: Row) => Resource;
}

const serviceKind: Kind<Service> = {
  query: services,
  resourceOf: ({ product, id, resource, createdAt }) => ({
    product: product as ProductName,
    id,
    ...resource,
    createdAt: createdAt.toISOString(),
  }),
};

const senderKind: Kind<Sender> = {
  query: senders,
  resourceOf: ({ product, id, resource, createdAt }) => ({
    product: product as ProductName,
    id,
    ...resource,
    createdAt: createdAt.toISOString(),
  }),
};

const templateKind: Kind<Template> = {
  query: templates,
  resourceOf: ({ product, id, createdAt, resource: { part, definitions, ...template } }) => ({
    product: product as ProductName,
    id,
    ...template,
    params: part === undefined ? smsSlots(template.content, definitions) : chatAppSlots(part),
    createdAt: createdAt.toISOString(),
    updatedAt: new Date(template.updatedAt).toISOString(),
  }),
};

const campaignKind: Kind<Campaign> = {
  query: campaigns,
  resourceOf: ({ id, createdAt, resource: { expiresAt, ...campaign } }) => ({
    id,
    ...campaign,
    ...(expiresAt === undefined ? {} : { expiresAt: new Date(expiresAt).toISOString() }),
    createdAt: createdAt.toISOString(),
  }),
};

export const readServices = (knex: Knex) => newestFirst(knex, serviceKind);
export const readSenders = (knex: Knex) => newestFirst(knex, senderKind);
export const readTemplates = (knex: Knex) => newestFirst(knex, templateKind);
export const readCampaigns = (knex: Knex) => newestFirst(knex, campaignKind);

export const getService = named(serviceKind, errors.serviceUnknown);
export const getTemplate = named(templateKind, errors.templateMissing);
export const getCampaign = named(campaignKind, errors.campaignUnknown);

/** A placeholder without a definition takes any text, and one with a default needs none. */
function smsSlots(content: string, definitions: readonly ParamDefinition[]): TemplateSlot[] {
  return placeholdersOf(content).map((name) => {
    const { default: defaultValue, ...definition } = definitions.find((one) => one.name === name) ?? { name };
    const required = defaultValue === undefined;
    return { ...definition, required, ...(required ? {} : { defaultValue }) };
  });
}

function chatAppSlots(part: Part): TemplateSlot[] {
  const cards = part.carousel?.cards ?? [];
  return [
    ...slotsOf(part)
      .filter(({ kind }) => kind !== 'CarouselCardParameter')
      .map(slotOf),
    ...cards.map((card, cardIndex) => ({
      type: 'CarouselCardParameter' as const,
      cardIndex,
      required: true,
      params: slotsOf(cardPart(part, card)).map(slotOf),
    })),
  ];
}

function slotOf({ kind, label, required }: Slot): PlainSlot {
  if (label === kind) return { type: kind, required };
  return kind.includes('Named')
    ? { type: kind, name: label, required }
    : { type: kind, position: Number(label), required };
}

/** SQL: a `Row` of each resource of the team. */
const rowsOf = (query: string) => `
  select product, id, created_at as "createdAt", created_at::text as instant, json_strip_nulls(resource) as resource
  from (${query}) as resources`;

function newestFirst<Resource>(
  knex: Knex,
  { query, resourceOf }: Kind<Resource>,
): ReadSlice<object, Resource> {
  return async (teamId, _filter, after, limit) => {
    const [instant, product, id] = after ?? ['infinity', '', ''];
    const { rows } = await knex.raw<{ rows: Row[] }>(
      `${rowsOf(query)}
       where (created_at, product, id) < (:instant::timestamptz, :product, :id)
       order by resources.created_at desc, product desc, id desc limit :limit::integer + 1`,
      { teamId, instant, product, id, limit },
    );
    return sliceOf(rows, limit, resourceOf, (row) => [row.instant, row.product, row.id]);
  };
}

/** One resource of a team. Rejects with 404 if the team has none with this id. */
type GetResource<Resource> = (
  knex: Knex,
  teamId: string,
  id: string,
  product?: ProductName,
) => Promise<Resource>;

/** Of several products with the same id, that of SMS. */
function named<Resource>(
  { query, resourceOf }: Kind<Resource>,
  unknown: (id: string) => Error,
): GetResource<Resource> {
  return async (knex, teamId, id, product) => {
    const { rows } = await knex.raw<{ rows: Row[] }>(
      `${rowsOf(query)}
       where id = :id and (:product::text is null or product = :product)
       order by product desc limit 1`,
      { teamId, id, product: product ?? null },
    );
    const [row] = rows;
    if (row === undefined) throw unknown(id);
    return resourceOf(row);
  };
}
