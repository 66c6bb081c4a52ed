/** Rejects requests that the service has no room for, before anything else is done for them. */
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type Koa from 'koa';
import type { Events } from '../model/events.ts';
import type { Stopwatch } from '../platform/clock.ts';
import { errors } from '../platform/errors.ts';
import type { Admission, Leave } from './admission.ts';
import { awaitsContinue, mayBeLong } from './body/body.ts';
import { impatientDelayMs } from './bounds.ts';
import { bodyOf, namingHeaders } from './errors.ts';
import { requestIdOf } from './request-id.ts';
import { inboundPath } from './routes/inbound-routes.ts';

export interface LoadShedding {
  /** Takes requests before `respond` does: rejecting costs a fraction of what Koa's way would. */
  before: (respond: RequestListener) => RequestListener;
  /** For the rejected requests that `before` passes on because their body must be dealt with. */
  refuseRest: Koa.Middleware;
}

interface SheddingDependencies {
  admission: Admission;
  stopwatch: Stopwatch;
  events: Pick<Events, 'requestRefused'>;
  /** Renders the error of what comes after it. */
  render: Koa.Middleware;
}

export function createLoadShedding({
  admission,
  stopwatch,
  events,
  render,
}: SheddingDependencies): LoadShedding {
  const overloaded = errors.overloaded();
  const body = JSON.stringify(bodyOf(overloaded, 'none'));
  const headers = {
    ...overloaded.headers,
    ...namingHeaders(overloaded),
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(body),
    Vary: 'Origin',
  };
  const passedOn = new WeakSet<IncomingMessage>();
  const patientFromMs = new WeakMap<IncomingMessage['socket'], number>();
  const retryAfterMs = Number(overloaded.headers['Retry-After']) * 1000;

  const refuse = (request: IncomingMessage, response: ServerResponse) => {
    events.requestRefused('none', overloaded.status);
    response.writeHead(overloaded.status, {
      ...headers,
      'X-Request-Id': requestIdOf(String(request.headers['x-request-id'] ?? '')),
    });
    response.end(body);
  };

  return {
    before: (respond) => (request, response) => {
      if (isExempt(request.url ?? '')) return respond(request, response);
      const leave = admission.enter();
      if (leave !== undefined) {
        countWhileComplete(admission, request, response, leave);
        return respond(request, response);
      }
      if (mayBeLong(request) || awaitsContinue(request)) {
        passedOn.add(request);
        return respond(request, response);
      }
      const nowMs = stopwatch.elapsedMs();
      const impatient = nowMs < (patientFromMs.get(request.socket) ?? 0);
      patientFromMs.set(request.socket, nowMs + retryAfterMs);
      // Otherwise such clients would use up the time for accepted requests.
      if (impatient) setTimeout(refuse, impatientDelayMs, request, response);
      else refuse(request, response);
    },
    refuseRest: (ctx, next) => {
      if (!passedOn.has(ctx.req)) return next();
      return render(ctx, async () => {
        throw overloaded;
      });
    },
  };
}

/**
 * A request whose body is still on its way takes no room, nor does one whose response waits for its client: clients that
 * send or read slowly must not keep others out.
 */
function countWhileComplete(
  admission: Admission,
  request: IncomingMessage,
  response: ServerResponse,
  entered: Leave,
): void {
  let leave: Leave | undefined = entered;
  let done = false;
  // By then Node has read what came with the head, which is all of most bodies.
  process.nextTick(() => {
    if (request.complete) return;
    entered(false);
    request.once('end', () => {
      if (!done) leave = admission.enter();
    });
  });
  const end = () => {
    done = true;
    leave?.(response.statusCode < 300);
  };
  // The former once all of it is written, the latter also if the client is gone.
  response.once('prefinish', end).once('close', end);
}

/** Probes, and calls from networks: rejecting what completes messages would only prolong the overload. */
function isExempt(url: string): boolean {
  return /^\/(healthz|readyz)(\?|$)/.test(url) || url.startsWith(inboundPath);
}
