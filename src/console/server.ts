/** Serves the console: finds the route of a request, checks who asks, and sends the page. */

import { type Duplex, Readable } from 'node:stream';
import type Koa from 'koa';
import type { Logger } from 'pino';
import type { ManagementOperationId } from '../../handlers/management/operation.ts';
import { managementOperations } from '../contract/management.ts';
import { sendAsset } from '../http/routes/sent-files.ts';
import { hasPermission, type Operator } from '../manage/access/permissions.ts';
import type { Clock } from '../platform/clock.ts';
import { isDatabaseAway } from '../platform/errors/database-away.ts';
import { errors, Rejection } from '../platform/errors.ts';
import type { PhoneParser } from '../products/phone/parse.ts';
import { createApi } from './api/api.ts';
import type { PageKeys } from './api/page-keys.ts';
import { Refused } from './api/refused.ts';
import { loadConsoleAsset } from './assets.ts';
import { internal, notFound, notPermitted, refusedPage, wrongMethod } from './errors.ts';
import { createFinder } from './find-route.ts';
import { readForm } from './form-body.ts';
import { type Frame, renderFrame } from './layout/frame.ts';
import { at } from './layout/parts.ts';
import { createTimes } from './layout/times.ts';
import { searchRoutes } from './messages/search.ts';
import type { ConsoleRoute, Outcome, Page, PageContext } from './page.ts';
import { consolePath } from './path.ts';
import { createRoutes } from './routes.ts';
import { sendHtml } from './send.ts';
import { sessionRoutes } from './session/routes.ts';
import { createSearches } from './session/searches.ts';
import type { Session } from './session/sessions.ts';
import { asksForItself } from './session/visit.ts';
import { createVisitors, type VisitorsDependencies } from './session/visitors.ts';
import { createSharedPages } from './shared-pages.ts';
import { createCounters } from './today/counters.ts';
import type { SendBurst } from './today/today.ts';

export interface ConsoleDependencies {
  visitors: VisitorsDependencies;
  /** The management API, over connections in this process. */
  url: string;
  connect: () => Duplex;
  keys: PageKeys;
  parsePhone: PhoneParser;
  /** Where clients reach the service. */
  publicUrl: string;
  sendBurst: SendBurst;
  /** Rejects when the work for a page has waited too long for the database. */
  limitWaits: <Result>(work: () => Promise<Result>) => Promise<Result>;
  clock: Clock;
  logger: Logger;
}

export function createConsole(dependencies: ConsoleDependencies): Koa.Middleware {
  const { url, connect, keys, parsePhone, publicUrl, limitWaits, clock, logger } = dependencies;
  const visitors = createVisitors(dependencies.visitors);
  const all = managementOperations();
  const operations = new Map(all.map((operation) => [operation.id, operation]));
  const { knex, secrets } = dependencies.visitors;
  const routes = [
    ...sessionRoutes({ knex, clock, sessions: visitors.sessions }),
    ...searchRoutes({ searches: createSearches(knex, secrets), parsePhone }),
    ...createRoutes(operations, dependencies.sendBurst),
  ];

  const find = createFinder(routes);
  const share = createSharedPages(dependencies.visitors.clock);
  const countersOf = createCounters(dependencies.visitors.clock);

  const mayOf = (reader: Operator) => (operation: ManagementOperationId) =>
    hasPermission(reader, operations.get(operation)?.permission ?? 'owner');

  /** The page of a request, with what the frame around it shows. */
  const respond = async (ctx: Koa.Context, path: string): Promise<Outcome & Partial<Frame>> => {
    const answered = await visitors.answer(ctx, path);
    if (answered !== undefined) return answered;
    const found = find(ctx.method, path);
    const session = await visitors.sessionOf(ctx);
    if (session === undefined) return visitors.ask(ctx, path);
    const reader = readerOf(session);
    const may = mayOf(reader);
    const serves: Frame['serves'] = (method, target) =>
      routes.some((route) => route.method === method && route.path === target && isOpen(route, may));
    const framed = { session, serves };
    if (found === undefined) return { ...notFound, ...framed };
    if (found === 'wrong method') return { ...wrongMethod, ...framed };
    const { route, params } = found;
    if (!isOpen(route, may)) return { ...notPermitted(whyNot(route, reader, operations)), ...framed };
    const form = route.method === 'POST' ? await readForm(ctx) : new URLSearchParams();
    const query = new URLSearchParams(ctx.querystring);
    const key = keys.issue(reader);
    const newApi = () => createApi({ operations, url, connect, key, requestId: ctx.state.requestId });
    const api = newApi();
    const times = createTimes(session.timeZone);
    const context: PageContext = {
      api,
      session,
      reader,
      params,
      query,
      form,
      now: clock.now(),
      times,
      publicUrl,
      may,
    };
    let withdraw = () => keys.withdraw(key);
    const make = async () => ({ ...(await route.handle(context)), calls: api.calls });
    try {
      const isShared = route.shared && asksForItself(ctx);
      const outcome = isShared ? await share(context, `${path}?${ctx.querystring}`, make) : await make();
      // A file calls the API while it is sent.
      if ('file' in outcome) {
        ctx.res.once('close', withdraw);
        withdraw = () => {};
      }
      const counters = 'body' in outcome ? await countersOf({ ...context, api: newApi() }) : undefined;
      return { ...outcome, ...framed, ...(counters === undefined ? {} : { counters }) };
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      return { ...refusedPage(error, ctx.state.requestId), ...framed, calls: api.calls };
    } finally {
      withdraw();
    }
  };

  return async (ctx) => {
    const path = ctx.path.slice(consolePath.length) || '/';
    const refusal = visitors.refuse(ctx);
    if (refusal !== undefined) return send(ctx, path, refusal);
    if (path.startsWith('/assets/')) {
      const asset = await loadConsoleAsset(path.slice('/assets/'.length));
      if (asset === undefined) throw errors.noRoute();
      return sendAsset(ctx, asset);
    }
    const outcome = await limitWaits(() => respond(ctx, path)).catch((error: unknown): Page => {
      if (isDatabaseAway(error)) return unreachable(ctx.state.requestId);
      if (error instanceof Rejection) return refusedPage(refusedBy(error), ctx.state.requestId);
      logger.error({ err: error, requestId: ctx.state.requestId }, 'page failed');
      return internal(ctx.state.requestId);
    });
    await send(ctx, path, outcome);
  };
}

/** What was wrong with the form itself, such as its size. */
function refusedBy({ status, slug = '', desc, headers }: Rejection): Refused {
  return new Refused(status, { slug, desc, retryAfter: headers['Retry-After'] });
}

async function send(ctx: Koa.Context, path: string, outcome: Outcome & Partial<Frame>): Promise<void> {
  if ('redirect' in outcome) {
    ctx.set('Cache-Control', 'no-store');
    ctx.status = 303;
    ctx.redirect(at(outcome.redirect));
    ctx.body = '';
    return;
  }
  if ('departure' in outcome) {
    ctx.set({ 'Cache-Control': 'no-store', 'Referrer-Policy': 'no-referrer' });
    ctx.redirect(outcome.departure);
    return;
  }
  if ('file' in outcome) {
    ctx.set('Cache-Control', 'no-store');
    ctx.attachment(outcome.file.name);
    ctx.type = outcome.file.type;
    ctx.body = Readable.from(outcome.file.parts, { objectMode: false });
    return;
  }
  const { session, serves = () => false, calls = [], counters = new Map() } = outcome;
  ctx.status = outcome.status ?? 200;
  const away = errors.databaseAway();
  if (ctx.status === away.status) ctx.set(away.headers);
  const { text } = renderFrame({ page: outcome, session, path, serves, calls, counters });
  await sendHtml(ctx, text);
}

function readerOf({ user: { id, teamId, role }, viewingTeam }: Session): Operator {
  return {
    kind: 'user',
    userId: id,
    teamId: viewingTeam ?? teamId,
    role: viewingTeam === undefined ? role : 'viewer',
  };
}

/** Whether the reader may open the page at all; a page without an operation is for everybody. */
function isOpen({ operations: [first] }: ConsoleRoute, may: PageContext['may']): boolean {
  return first === undefined || may(first);
}

function whyNot(
  { operations: [first] }: ConsoleRoute,
  { role, teamId }: Operator,
  operations: ReadonlyMap<string, { permission: string }>,
): string {
  const permission = operations.get(first ?? '')?.permission ?? '';
  const needed = permission.replace('platform.', '');
  if (needed !== permission && teamId !== undefined) return 'Only users of the platform may do this.';
  return `The role ${role} may not do this; ${needed} may.`;
}

const unreachable = (requestId: string) =>
  refusedPage(new Refused(503, { slug: 'unavailable', desc: '', retryAfter: undefined }), requestId);
