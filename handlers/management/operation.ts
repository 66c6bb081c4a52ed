/** The types of management handlers, and how they write resources, versions and pages. */
import type { operations, paths } from '../../generated/management.d.ts';
import type { Call, Handler, OperationId, Reply } from '../../src/http/contract/operation.ts';
import type { Operator } from '../../src/manage/access/permissions.ts';
import type { Management, ServedManagement } from '../../src/manage/management.ts';
import { versionOf } from '../../src/manage/version.ts';
import { errors } from '../../src/platform/errors.ts';
import { instantOf as instantOfText } from '../../src/platform/text/instant.ts';
import { createList } from '../../src/read/lists.ts';
import {
  type Page,
  type PageRequest,
  type Position,
  type ReadSlice,
  type Slice,
  sliceOf,
} from '../../src/read/page.ts';

/** spec/management.yaml. */
export interface ManagementDocument {
  paths: paths;
  operations: operations;
  caller: Operator;
}

export type ManagementOperationId = OperationId<ManagementDocument>;

export type ManagementCall<O extends ManagementOperationId> = Call<O, ManagementDocument> & {
  /** The version in If-Match. */
  version: string | undefined;
};

/** Handles one call. `management` sees what the caller may see, and names the caller in the audit log. */
export type ManagementHandler<O extends ManagementOperationId> = (
  call: ManagementCall<O>,
  management: ServedManagement,
) => Promise<Reply<O>>;

export type ManagementHandlers = { [O in ManagementOperationId]: ManagementHandler<O> };
export type ContractHandler<O extends ManagementOperationId> = Handler<O, ManagementDocument>;

/** A view as JSON: times are RFC 3339, and what is null is absent. */
export type Wire<View> = View extends Date
  ? string
  : View extends readonly (infer Item)[]
    ? Wire<Item>[]
    : View extends object
      ? { [Key in keyof View as IsSet<View[Key]> extends true ? Key : never]: Wire<View[Key]> } & {
          [Key in keyof View as IsSet<View[Key]> extends true ? never : Key]?: Wire<NonNullable<View[Key]>>;
        }
      : View;

type IsSet<Value> = null extends Value ? false : undefined extends Value ? false : true;

export function wire<View>(view: View): Wire<View> {
  return json(view) as Wire<View>;
}

function json(value: unknown): unknown {
  if (value instanceof Date) return value.toISOString();
  if (Array.isArray(value)) return value.map(json);
  if (value === null || typeof value !== 'object') return value;
  const set = Object.entries(value).filter(([, inner]) => (inner ?? undefined) !== undefined);
  return Object.fromEntries(set.map(([name, inner]) => [name, json(inner)]));
}

/** The header of a response that shows a resource. */
export function etagOf(view: object): { ETag: string } {
  return { ETag: `"${versionOf(view)}"` };
}

/** The headers of a response that shows a new resource; `list` is the path of its list. */
export function headersOfNew(view: object, list: `/${string}/`, id: string) {
  return { ...etagOf(view), Location: `/management${list}${id}` };
}

/** The version that the caller has seen. Any other ETag than ours names a version that no longer exists. */
export function versionIn(ifMatch: string | undefined): string | undefined {
  return ifMatch && (/^"([^"]*)"$/.exec(ifMatch)?.[1] ?? ifMatch);
}

/** The team that will own something new. Users of the platform must name it. */
export function ownerOf({ teamId }: { teamId?: string }, caller: Operator): string {
  const owner = teamId ?? caller.teamId;
  if (owner === undefined) throw errors.schemaViolation('/teamId is required');
  return owner;
}

/** A time as the caller wrote it; null means none. */
export function instantOf<Written extends string | null | undefined>(
  written: Written,
): Date | Exclude<Written, string> {
  return typeof written === 'string' ? instantOfText(written) : (written as Exclude<Written, string>);
}

/** What a page begins after, and one more than it shows. */
export interface Part {
  after: string | undefined;
  limit: number;
}

/** One page of a list. `query` has its filters, and `keyOf` is what the list is in the order of. */
export async function pageOf<View, Filter extends object>(
  list: ManagementOperationId,
  query: PageRequest & Filter,
  management: Management,
  read: (part: Part) => Promise<readonly View[]>,
  keyOf: (view: View) => string,
): Promise<Page<Wire<View>>> {
  return pageOfSlices(list, query, management, async ({ after: [after] = [], limit }) =>
    // One more than the page shows: it tells whether another page follows.
    sliceOf(await read({ after, limit: limit + 1 }), limit, wire, (view) => [keyOf(view)]),
  );
}

/** One page of a list that is read in slices. `query` has its filters. */
export async function pageOfSlices<Item, Filter extends object>(
  list: ManagementOperationId,
  { limit, cursor, ...filter }: PageRequest & Filter,
  management: Management,
  read: (part: { after: Position | undefined; limit: number }) => Promise<Slice<Item>>,
): Promise<Page<Item>> {
  const readSlice: ReadSlice<object, Item> = (_team, _filter, after, most) => read({ after, limit: most });
  const readPage = createList(await management.secrets(), `management ${list}`, readSlice);
  return readPage(management.team ?? '', filter, {
    ...(limit === undefined ? {} : { limit }),
    ...(cursor === undefined ? {} : { cursor }),
  });
}
