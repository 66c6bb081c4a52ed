/** One POST on a connection of a pool: its status, and the beginning of the response's body. */
import type { Dispatcher, Pool } from 'undici';
import { printable } from '../../platform/text/printable.ts';

export interface ExchangeRequest {
  path: string;
  headers: Readonly<Record<string, string>>;
  body: string;
  /** For everything: connection, headers and body. */
  timeoutMs: number;
}

export interface Exchanged {
  status: number;
  retryAfter: string | readonly string[] | undefined;
  /** The beginning of the response's body as text. */
  response: string;
}

/** The time for the exchange was over before the response's headers were there. */
export class DeadlinePassed extends Error {}

const responseLimitBytes = 64 * 1024;
const keptBytes = 1024;

/** Rejects when no status came. Once the status is known, it counts, whatever happens to the body after it. */
export function exchange(
  pool: Pool,
  { path, headers, body, timeoutMs }: ExchangeRequest,
): Promise<Exchanged> {
  return new Promise((resolve, reject) => {
    const handler = new ExchangeHandler(timeoutMs, resolve, reject);
    pool.dispatch({ path, method: 'POST', headers, body }, handler);
  });
}

class ExchangeHandler implements Dispatcher.DispatchHandler {
  private controller: Dispatcher.DispatchController | undefined;
  private received: Omit<Exchanged, 'response'> | undefined;
  private readonly beginning: Buffer[] = [];
  private bytesRead = 0;
  private settled = false;
  private readonly resolve: (exchanged: Exchanged) => void;
  private readonly reject: (error: Error) => void;
  private readonly timer: NodeJS.Timeout;

  constructor(timeoutMs: number, resolve: (exchanged: Exchanged) => void, reject: (error: Error) => void) {
    this.resolve = resolve;
    this.reject = reject;
    this.timer = setTimeout(() => this.breakOff(), timeoutMs);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.controller = controller;
    if (this.settled) controller.abort(new DeadlinePassed());
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: Record<string, string | string[] | undefined>,
  ): void {
    // Hints come before the response.
    if (status >= 200) this.received = { status, retryAfter: headers['retry-after'] };
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.bytesRead < keptBytes) this.beginning.push(chunk.subarray(0, keptBytes - this.bytesRead));
    this.bytesRead += chunk.length;
    // Read so that the connection can be used again; a body that is too long costs the connection only.
    if (this.bytesRead > responseLimitBytes) this.breakOff();
  }

  onResponseEnd(): void {
    this.settle();
  }

  onResponseError(_controller: Dispatcher.DispatchController | null, error: Error): void {
    this.settle(error);
  }

  private breakOff(): void {
    this.settle();
    this.controller?.abort(new DeadlinePassed());
  }

  /** `error`: why there is no status, if there is none; absent: it took too long. */
  private settle(error?: Error): void {
    if (this.settled) return;
    this.settled = true;
    clearTimeout(this.timer);
    if (this.received === undefined) this.reject(error ?? new DeadlinePassed());
    else this.resolve({ ...this.received, response: textOf(this.beginning) });
  }
}

function textOf(beginning: readonly Buffer[]): string {
  if (beginning.length === 0) return '';
  // As a stream: a character that is cut in half is left out.
  return printable(new TextDecoder().decode(Buffer.concat(beginning), { stream: true }));
}
