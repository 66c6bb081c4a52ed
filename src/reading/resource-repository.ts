/** Reads what a team sends with: services, templates and campaigns, newest first. */
import type { Knex } from 'knex';
import { slotsOf } from '../chatapp/templates/slots.ts';
import type { Part } from '../chatapp/templates/template.ts';
import type { Frequency } from '../data/campaign.ts';
import { placeholdersOf } from '../templates/substitute.ts';
import type { ParamDefinition } from '../templates/template.ts';
import { type ReadSlice, sliceOf } from './page.ts';
import type { ProductName } from './product.ts';

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
  parameters: TemplateSlot[];
  createdAt: string;
  updatedAt: string;
}

/** What a request fills. */
export interface TemplateSlot extends Partial<Omit<ParamDefinition, 'required' | 'default'>> {
  type?: ReturnType<typeof slotsOf>[number]['kind'];
  required: boolean;
  defaultValue?: string;
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

export const readServices = (knex: Knex): ReadSlice<object, Service> =>
  newestFirst(knex, services, ({ product, id, resource, createdAt }) => ({
    product: product as ProductName,
    id,
    ...resource,
    createdAt: createdAt.toISOString(),
  }));

export const readTemplates = (knex: Knex): ReadSlice<object, Template> =>
  newestFirst(
    knex,
    templates,
    ({ product, id, createdAt, resource: { part, definitions, ...template } }) => ({
      product: product as ProductName,
      id,
      ...template,
      parameters: part === undefined ? smsSlots(template.content, definitions) : chatAppSlots(part),
      createdAt: createdAt.toISOString(),
      updatedAt: new Date(template.updatedAt).toISOString(),
    }),
  );

export const readCampaigns = (knex: Knex): ReadSlice<object, Campaign> =>
  newestFirst(knex, campaigns, ({ id, createdAt, resource: { expiresAt, ...campaign } }) => ({
    id,
    ...campaign,
    ...(expiresAt === undefined ? {} : { expiresAt: new Date(expiresAt).toISOString() }),
    createdAt: createdAt.toISOString(),
  }));

/** A placeholder without a definition takes any text. */
function smsSlots(content: string, definitions: readonly ParamDefinition[]): TemplateSlot[] {
  return placeholdersOf(content).map((name) => {
    const definition = definitions.find((one) => one.name === name);
    if (definition === undefined) return { name, required: true };
    const { default: defaultValue, ...rest } = definition;
    return defaultValue === undefined ? rest : { ...rest, defaultValue };
  });
}

function chatAppSlots(part: Part): TemplateSlot[] {
  return slotsOf(part).map(({ kind, label, required }) => ({
    type: kind,
    ...(label === kind ? {} : { name: label }),
    required,
  }));
}

function newestFirst<Resource>(
  knex: Knex,
  query: string,
  resourceOf: (row: Row) => Resource,
): ReadSlice<object, Resource> {
  return async (teamId, _filter, after, limit) => {
    const [instant, product, id] = after ?? ['infinity', '', ''];
    const { rows } = await knex.raw<{ rows: Row[] }>(
      `select product, id, created_at as "createdAt", created_at::text as instant,
         json_strip_nulls(resource) as resource
       from (${query}) as resources
       where (created_at, product, id) < (:instant::timestamptz, :product, :id)
       order by resources.created_at desc, product desc, id desc limit :limit::integer + 1`,
      { teamId, instant, product, id, limit },
    );
    return sliceOf(rows, limit, resourceOf, (row) => [row.instant, row.product, row.id]);
  };
}
