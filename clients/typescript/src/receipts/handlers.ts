/** Receipt handlers for servers on Node's http module, for Express, for Koa, and for those of the fetch standard. */
import {
  failed,
  longestBody,
  type ReceiptHandlerOptions,
  type ReceiptResponse,
  respondTo,
  tooLarge,
  wrongMethod,
} from './response.ts';

/** The parts of Node's IncomingMessage that are used; `rawBody` and `body` are what middleware may have read. */
export interface NodeRequest extends AsyncIterable<string | Uint8Array> {
  method?: string | undefined;
  headers: Readonly<Record<string, string | string[] | undefined>>;
  rawBody?: unknown;
  body?: unknown;
}

/** The parts of Node's ServerResponse that are used. */
export interface NodeResponse {
  writeHead(status: number, headers: Record<string, string>): { end(text: string): unknown };
}

/** The parts of Koa's context that are used. */
export interface KoaContext {
  req: NodeRequest;
  /** Body parsers add `rawBody` and `body`. */
  request: object;
  status: number;
  body: unknown;
  set(headers: Record<string, string>): unknown;
}

/** For handlers without a framework that would take care of an error of `onReceipt`. */
export interface StandaloneOptions extends ReceiptHandlerOptions {
  /** Called with what `onReceipt` throws, after which the response is 500; writes to the console by default. */
  onError?: ((error: unknown) => void) | undefined;
}

/** For `http.createServer(…)`. */
export function nodeReceiptHandler(
  options: StandaloneOptions,
): (request: NodeRequest, response: NodeResponse) => Promise<void> {
  return async (request, response) => {
    write(response, await reporting(options, () => respondToNode(request, options)));
  };
}

/** For `app.post(path, …)` of Express, before any `express.json()`. Errors of `onReceipt` go to `next`. */
export function expressReceiptHandler(
  options: ReceiptHandlerOptions,
): (request: NodeRequest, response: NodeResponse, next: (error?: unknown) => void) => Promise<void> {
  return async (request, response, next) => {
    try {
      write(response, await respondToNode(request, options));
    } catch (error) {
      next(error);
    }
  };
}

/** For `router.post(path, …)` or `app.use(…)` of Koa. Errors of `onReceipt` are Koa's. */
export function koaReceiptHandler(options: ReceiptHandlerOptions): (context: KoaContext) => Promise<void> {
  return async (context) => {
    const { rawBody, body }: { rawBody?: unknown; body?: unknown } = context.request;
    const { status, headers, text } = await respondToNode(context.req, options, rawBody ?? body);
    context.status = status;
    context.set(headers);
    context.body = text === '' ? null : text;
  };
}

/** For servers that turn a Request into a Response: Hono, Next.js, Deno, Bun, Cloudflare Workers and others. */
export function fetchReceiptHandler(options: StandaloneOptions): (request: Request) => Promise<Response> {
  return async (request) => {
    const { status, headers, text } = await reporting(options, async () => {
      if (request.method !== 'POST') return wrongMethod;
      const body = request.body === null ? new Uint8Array() : await joined(chunksOf(request.body));
      return body === undefined ? tooLarge : respondTo(body, request.headers, options);
    });
    return new Response(text === '' ? null : text, { status, headers });
  };
}

async function respondToNode(
  request: NodeRequest,
  options: ReceiptHandlerOptions,
  read: unknown = request.rawBody ?? request.body,
): Promise<ReceiptResponse> {
  if (request.method !== 'POST') return wrongMethod;
  if (read !== undefined && typeof read !== 'string' && !(read instanceof Uint8Array))
    throw new TypeError('The body was parsed before its signature could be checked: put this handler first');
  const body = read ?? (await joined(request));
  return body === undefined ? tooLarge : respondTo(body, request.headers, options);
}

/** The whole body; undefined if it is too large. It is read to its end in any case, or nobody would read the 413. */
async function joined(chunks: AsyncIterable<string | Uint8Array>): Promise<Uint8Array | undefined> {
  const encoder = new TextEncoder();
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of chunks) {
    const part = typeof chunk === 'string' ? encoder.encode(chunk) : chunk;
    length += part.length;
    if (length <= longestBody) parts.push(part);
  }
  if (length > longestBody) return undefined;
  const whole = new Uint8Array(length);
  let offset = 0;
  for (const part of parts) {
    whole.set(part, offset);
    offset += part.length;
  }
  return whole;
}

/** Not every runtime can iterate over a stream. */
async function* chunksOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = stream.getReader();
  for (let part = await reader.read(); !part.done; part = await reader.read()) yield part.value;
}

async function reporting(
  { onError }: StandaloneOptions,
  respond: () => Promise<ReceiptResponse>,
): Promise<ReceiptResponse> {
  try {
    return await respond();
  } catch (error) {
    // biome-ignore lint/suspicious/noConsole: without onError nobody would learn of the error.
    (onError ?? console.error)(error);
    return failed;
  }
}

function write(response: NodeResponse, { status, headers, text }: ReceiptResponse): void {
  response.writeHead(status, headers).end(text);
}
