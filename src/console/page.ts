/** What a page of the console is: a route, what its handler gets, and what it returns. */
import type { ManagementOperationId } from '../../handlers/management/operation.ts';
import type { Html } from '../docs/render/html.ts';
import type { Operator } from '../manage/access/permissions.ts';
import type { Api } from './api/api.ts';
import type { ZonedTimes } from './layout/times.ts';
import type { Session } from './session/sessions.ts';

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
  /** Where clients reach the service. */
  publicUrl: string;
  /** Whether the API lets the reader call the operation. */
  may: (operation: ManagementOperationId) => boolean;
}

export interface Page {
  /** Of the window and the history: never a phone number or a text of anybody. */
  title: string;
  body: Html;
  /** The page of the navigation that it belongs to, where its address does not say so. */
  section?: string;
  /** 200 if omitted. */
  status?: number;
  /** The page asks for itself every ten seconds. */
  refreshes?: boolean;
}

/** To another page after a POST: a path below `/console`, with its query. */
export interface Redirect {
  redirect: string;
}

/** To the page of another site. */
export interface Departure {
  departure: string;
}

export interface Download {
  file: { name: string; type: string; parts: AsyncIterable<string> };
}

export type Outcome = Page | Redirect | Departure | Download;

export interface ConsoleRoute {
  method: 'GET' | 'POST';
  /** Below `/console`, with parameters such as `/clients/:id`. */
  path: string;
  /** What it may call, of which the reader must be permitted the first. */
  operations: readonly ManagementOperationId[];
  /** The page refreshes itself, and is the same for all readers of a team and role: it is made for all at once. */
  shared?: boolean;
  handle: (page: PageContext) => Promise<Outcome>;
}
