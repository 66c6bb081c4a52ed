/** What the console must be told about a kind of resource; the rest is in the management document. */
import type { ManagementOperationId } from '../../../handlers/management/operation.ts';
import type { Operation } from '../../contract/management.ts';
import type { Column } from '../../contract/words.ts';
import type { Content, Html } from '../../docs/render/html.ts';
import type { Noun } from '../../platform/errors/management.ts';
import { own } from '../../platform/text/own.ts';
import type { Blamed, Field } from '../forms/form.ts';
import type { ConsoleRoute, PageContext } from '../page.ts';

export type Item = Readonly<Record<string, unknown>>;

/** Words for an operation that does something with one item. */
export interface ActionWords {
  /** On its button. */
  label: string | ((item: Item) => string);
  /** What its form has at first. */
  start?: (item: Item) => Readonly<Record<string, string>>;
  /** Asked before it is done; what happens then. */
  question: string;
  /** The property that it decides on, shown as a difference from what was approved last. */
  decidesOn?: string;
  /** What the reader does to it, as in `pauses connector simulator`; the audit log keeps that. */
  does?: string;
  /** A field that people must fill in, though the API does without. */
  requires?: string;
  /** It takes something away for good, or stops somebody's work. */
  isDangerous?: boolean;
  /** Said afterwards. */
  done: string;
  /** Said afterwards instead, where the answer is more than the item as it is now. */
  found?: (answer: Item) => readonly ['good' | 'bad', Content];
  /** Whether it can be done with the item as it is; always if omitted. */
  when?: (item: Item) => boolean;
}

export interface Drawing {
  /** Fields for what fills it, which belong into a form. */
  fields?: Html;
  drawn: Html;
}

/** `item` undefined: a new one. `unsaved`: what a form has instead of the item's own; `filled`: what its fields have. */
export type Draw = (
  page: PageContext,
  item: Item | undefined,
  given: { unsaved: Item; filled: URLSearchParams },
) => Promise<Drawing>;

export interface Definition {
  /** Below `/console`. */
  path: string;
  /** Its list in the API, such as `/clients`. */
  collection: string;
  /** Its heading, as the navigation has it. */
  title: string;
  /** One of them, such as `client`. */
  one: string;
  /** As the audit log names it. */
  noun: Noun;
  /** Of the list, where those of the document are too many. */
  columns?: readonly Column[];
  /** A property that decides which fields there are: its values, and the fields for one of them. */
  variants?: {
    by: string;
    words: Readonly<Record<string, string>>;
    /** More to choose from, each with what the form for it is called with. */
    more?: readonly { label: string; query: string }[];
    /** What a form for a new one begins with. */
    begun?: (filled: URLSearchParams) => Item;
    fields: (fields: readonly Field[], value: string | undefined, page: PageContext, item?: Item) => Field[];
  };
  /** Pages of what a property names, where they differ from those in `references`. */
  references?: Readonly<Record<string, string>>;
  /** The heading of a list beside this one, and its path. */
  beside?: readonly (readonly [label: string, path: string])[];
  /** Other pages about an item: their name, and their path below `/console`. */
  related?: readonly {
    label: string;
    path: (id: string) => string;
    operation: ManagementOperationId;
  }[];
  /** Parts that few of them have: their fields stand below the others, folded. */
  rare?: readonly string[];
  /** The field that a sentence about the whole is about, by how it begins. */
  blamed?: Blamed;
  /** Draws an item as those see it who get it, with the help of this operation. */
  draw?: Draw;
  drawsBy?: ManagementOperationId;
  /** Above the facts of an item; while it is there, the page refreshes. */
  above?: (page: PageContext, item: Item) => Promise<Content>;
  /** Properties that it says, which the facts leave out. */
  aboveSays?: readonly string[];
  /** Below the secrets of a new item, given the answer that has them. */
  belowSecrets?: (page: PageContext, answer: Item) => Promise<Content>;
  /** Pages of its own, some in place of those that every kind has. */
  pages?: (resource: Resource) => readonly ConsoleRoute[];
  actions?: Readonly<Partial<Record<ManagementOperationId, ActionWords>>>;
}

/** Without the sign that a page with a form follows. */
export function labelOfAction({ label }: ActionWords, item: Item): string {
  return (typeof label === 'string' ? label : label(item)).replace(/…$/, '');
}

/** A kind of resource with its operations. */
export interface Resource {
  definition: Definition;
  list: Operation;
  get: Operation;
  create: Operation | undefined;
  update: Operation | undefined;
  actions: readonly { operation: Operation; words: ActionWords; path: string }[];
  /** The property that the path of an item ends in. */
  key: string;
  /** The parameter of that path. */
  parameter: string;
}

/** Throws where the document lacks an operation that the definition names. */
export function resourceOf(definition: Definition, operations: ReadonlyMap<string, Operation>): Resource {
  const { collection, actions = {} } = definition;
  const at = (method: string, path: RegExp) =>
    [...operations.values()].find((one) => one.method === method && isAt(one.path, collection, path));
  const get = at('get', item) as Operation;
  const key =
    ['id', 'key', 'name', 'country'].find((name) => own(get.answer.properties, name) !== undefined) ?? 'id';
  return {
    definition,
    list: at('get', nothing) as Operation,
    get,
    create: at('post', nothing),
    update: at('patch', item),
    actions: Object.entries(actions).map(([id, words]) => {
      const operation = operations.get(id) as Operation;
      const step = operation.method === 'delete' ? 'remove' : (operation.path.split('/').at(-1) ?? '');
      return { operation, words, path: step };
    }),
    key,
    parameter: get.inputs.find((one) => one.in === 'path')?.name ?? '',
  };
}

/** What its path ends in. */
export const idOf = ({ key }: Resource, item: Item) => String(own(item, key));

/** The page of an item, below `/console`. */
export const pathOf = ({ definition }: Resource, id: string) =>
  `${definition.path}/${encodeURIComponent(id)}`;

const nothing = /^$/;
const item = /^\/\{\w+\}$/;

const isAt = (path: string, collection: string, rest: RegExp) =>
  path.startsWith(collection) && rest.test(path.slice(collection.length));
