/**
 * Stands in for an OpenTelemetry Collector, which Debian does not have: takes spans by OTLP over HTTP. And the example that
 * exports to it, in a directory with its packages, as docs/tracing.md says.
 */
import { once } from 'node:events';
import { cpSync, mkdtempSync, symlinkSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

/** The address of the example, whose directory goes with the run of the tests. */
export function installExample(): string {
  const folder = mkdtempSync(join(tmpdir(), 'tarishi-otel-'));
  const example = join(folder, 'tracing.mjs');
  cpSync(fileURLToPath(new URL('tracing.mjs', import.meta.url)), example);
  symlinkSync(
    fileURLToPath(new URL('../../tools/node_modules', import.meta.url)),
    join(folder, 'node_modules'),
  );
  return pathToFileURL(example).href;
}

export interface ExportedSpan {
  /** Of the process that exported it. */
  serviceName: string | undefined;
  name: string;
  traceId: string;
  spanId: string;
  /** Absent or empty for the first span of a trace. */
  parentSpanId?: string;
}

export interface Collector {
  endpoint: string;
  spans: () => ExportedSpan[];
  /** The spans of a trace, as soon as there are `count`. */
  trace: (traceId: string, count: number) => Promise<ExportedSpan[]>;
  close: () => void;
}

interface Exported {
  resourceSpans: {
    resource: { attributes: { key: string; value: { stringValue?: string } }[] };
    scopeSpans: { spans: Omit<ExportedSpan, 'serviceName'>[] }[];
  }[];
}

export async function startCollector(): Promise<Collector> {
  const exported: Exported[] = [];
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const bytes of request) body += bytes;
    if (request.url === '/v1/traces') exported.push(JSON.parse(body));
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
    server.emit('exported');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const spans = () => exported.flatMap(({ resourceSpans }) => resourceSpans.flatMap(spansOf));
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    trace: async (traceId, count) => {
      const found = () => spans().filter((span) => span.traceId === traceId);
      while (found().length < count) await once(server, 'exported');
      return found();
    },
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

function spansOf({ resource, scopeSpans }: Exported['resourceSpans'][number]): ExportedSpan[] {
  const service = resource.attributes.find(({ key }) => key === 'service.name');
  return scopeSpans.flatMap(({ spans }) =>
    spans.map((span) => ({ ...span, serviceName: service?.value.stringValue })),
  );
}
