/** The handlers that follow from the definition of a resource: to list, create, get and change it. */

import {
  type AnswerOf,
  type BodyOf,
  type Exact,
  type PathOf,
  reply,
  type StatusOf,
} from '../../src/http/contract/operation.ts';
import type { Resource } from '../../src/manage/resource.ts';
import type { Change, New, Properties } from '../../src/platform/db/rows.ts';
import { own } from '../../src/platform/text/own.ts';
import {
  type ManagementDocument as Document,
  etagOf,
  headersOfNew,
  type ManagementOperationId as Id,
  type ManagementCall,
  type ManagementHandler,
  ownerOf,
  pageOf,
  type Wire,
  wire,
} from './operation.ts';

type Answer<O extends Id, S extends number> = AnswerOf<O, S & StatusOf<O, Document>, Document>;
type ItemOf<Page> = Page extends { items: (infer Item)[] } ? Item : never;
type Body<O extends Id> = NonNullable<BodyOf<O, Document>>;

/** Does not compile for a definition that lacks something of the document, or has more. */
type Shows<View, Shape> = [Wire<View>] extends [Shape & Exact<Shape, Wire<View>>]
  ? unknown
  : { documented: Shape };
type Takes<Given, Wanted> = [Given] extends [Wanted & Exact<Wanted, Given>] ? unknown : { documented: Given };
/** Users of a team may omit it. */
type FromBody<P extends Properties> = Omit<New<P>, 'teamId'> & { teamId?: string };

/** What a handler of any operation gets, once its types were compared with the document. */
type AnyCall = ManagementCall<Id> & {
  body: never;
  path: Record<string, string>;
  query: Record<string, never>;
};

export function lists<O extends Id, P extends Properties, View extends object>(
  operation: O,
  { key, list }: Resource<P, View> & Shows<View, ItemOf<Answer<O, 200>>>,
): ManagementHandler<O> {
  return handler(async ({ query }, management) => {
    const { cursor: _cursor, limit: _limit, teamId: team, ...filter } = query;
    const read = (part: object) => list(management, { ...filter, team, ...part } as never);
    const keyOf = (view: View) => String(view[key as unknown as keyof View]);
    return reply(200, await pageOf(operation, query, management, read, keyOf));
  });
}

/** `at`: the path of the list. */
export function creates<O extends Id, P extends Properties, View extends object>(
  _operation: O,
  {
    key,
    owner,
    properties,
    create,
  }: Resource<P, View> & Shows<View, Answer<O, 201>> & Takes<Body<O>, FromBody<P>>,
  at: `/${string}/`,
): ManagementHandler<O> {
  const isGiven = owner !== undefined && owner !== key && properties[owner]?.given !== 'never';
  return handler(async ({ body, caller }, management) => {
    // Without one it is the platform's, where that may be.
    const teamId = () =>
      own(properties, owner)?.given === 'maybe'
        ? ((body as { teamId?: string }).teamId ?? caller.teamId)
        : ownerOf(body, caller);
    const given: object = isGiven ? { ...(body as object), teamId: teamId() } : body;
    const created = await create(management, given as New<P>);
    const id = String(created[key as unknown as keyof View]);
    return reply(201, wire(created), headersOfNew(created, at, id));
  });
}

/** `parameter`: of the path. */
export function gets<O extends Id, P extends Properties, View extends object>(
  _operation: O,
  { get }: Resource<P, View> & Shows<View, Answer<O, 200>>,
  parameter: keyof PathOf<O, Document> & string,
): ManagementHandler<O> {
  return handler(async ({ path }, management) => {
    const found = await get(management, path[parameter] as string);
    return reply(200, wire(found), etagOf(found));
  });
}

export function changes<O extends Id, P extends Properties, View extends object>(
  _operation: O,
  { change }: Resource<P, View> & Shows<View, Answer<O, 200>> & Takes<Body<O>, Change<P>>,
  parameter: keyof PathOf<O, Document> & string,
): ManagementHandler<O> {
  return handler(async ({ path, body, version }, management) => {
    const changed = await change(management, path[parameter] as string, body, version);
    return reply(200, wire(changed), etagOf(changed));
  });
}

function handler<O extends Id>(
  handle: (
    call: AnyCall,
    management: Parameters<ManagementHandler<O>>[1],
  ) => ReturnType<ManagementHandler<Id>>,
): ManagementHandler<O> {
  return handle as never;
}
