/**
 * Exports Tarishi's traces by OTLP: NODE_OPTIONS="--import /etc/tarishi/tracing.mjs". Reads OTEL_EXPORTER_OTLP_ENDPOINT
 * (http://localhost:4318), OTEL_SERVICE_NAME, OTEL_TRACES_SAMPLER and their like.
 */
import { trace } from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { defaultResource, resourceFromAttributes } from '@opentelemetry/resources';
import { BasicTracerProvider, BatchSpanProcessor } from '@opentelemetry/sdk-trace-base';

const service = { 'service.name': process.env.OTEL_SERVICE_NAME ?? 'tarishi' };

trace.setGlobalTracerProvider(
  new BasicTracerProvider({
    resource: defaultResource().merge(resourceFromAttributes(service)),
    spanProcessors: [new BatchSpanProcessor(new OTLPTraceExporter())],
  }),
);
