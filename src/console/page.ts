/** What a page of the console is: a route, what its handler gets, and what it returns. */
import type Koa from 'koa';
import type { ManagementOperationId } from '../../handlers/management/operation.ts';
import type { Operator } from '../manage/access/permissions.ts';
import type { Role } from '../manage/rules.ts';
import type { Api } from './api/api.ts';
import type { Html } from './html.ts';
import type { ZonedTimes } from './layout/times.ts';

/** Who is signed in. */
export interface Session {
  /** `teamId` undefined: a user of the platform. */
  user: { id: string; teamId: string | undefined; role: Role };
  /** The team whose console a user of the platform looks at; nothing can be changed then. */
  viewingTeam?: string | undefined;
  /** The forms of this page are taken only with it, in the field `formToken`. */
  formToken: string;
  /** Whether a form with this token may be acted on: true once for each token. */
  takeForm: (formToken: string) => Promise<boolean>;
  /** The time zone of the reader, such as `Africa/Nairobi`. */
  timeZone: string;
}

/** Undefined: nobody is signed in. */
export type SessionOf = (ctx: Koa.Context) => Promise<Session | undefined>;

export interface PageContext {
  api: Api;
  session: Session;
  /** Whom the session calls the API as. */
  reader: Operator;
  /** Of the path, by name. */
  params: Readonly<Record<string, string>>;
  query: URLSearchParams;
  /** Of a POST; empty otherwise. */
  form: URLSearchParams;
  /** Milliseconds since 1970. */
  now: number;
  times: ZonedTimes;
  /** Whether the API lets the reader call the operation. */
  may: (operation: ManagementOperationId) => boolean;
}

export interface Page {
  /** Of the window and the history: never a phone number or a text of anybody. */
  title: string;
  body: Html;
  /** 200 if omitted. */
  status?: number;
  /** The page asks for itself every ten seconds. */
  refreshes?: boolean;
}

/** To another page after a POST: a path below `/console`, with its query. */
export interface Redirect {
  redirect: string;
}

export interface Download {
  file: { name: string; type: string; parts: AsyncIterable<string> };
}

export type Outcome = Page | Redirect | Download;

export interface ConsoleRoute {
  method: 'GET' | 'POST';
  /** Below `/console`, with parameters such as `/clients/:id`. */
  path: string;
  /** What it may call, of which the reader must be permitted the first. */
  operations: readonly ManagementOperationId[];
  handle: (page: PageContext) => Promise<Outcome>;
}
