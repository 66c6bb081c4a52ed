/** The contract as Prism serves it: the same responses, arranged so that Prism chooses among them as we would. */

interface Response {
  headers?: Record<string, { $ref?: string; required?: boolean }>;
}

type Operation = { responses?: Record<string, Response>; callbacks?: unknown };

interface Document {
  paths: Record<string, Record<string, Operation>>;
  components: { headers: Record<string, { required?: boolean }> };
}

/**
 * A copy of the document. Prism answers an invalid request with 422 wherever there is one, and sends every header
 * there is: so 422 becomes the default, which is found when it is asked for by its code, and headers that a
 * response may lack are left out. So are the callbacks, or Prism would post their examples.
 */
export function mockedDocument(published: unknown): unknown {
  const document = structuredClone(published) as Document;
  const isCertain = (header: { $ref?: string; required?: boolean }) =>
    (header.$ref === undefined ? header : document.components.headers[lastStep(header.$ref)])?.required ===
    true;
  for (const item of Object.values(document.paths))
    for (const operation of Object.values(item)) {
      delete operation.callbacks;
      if (operation.responses !== undefined)
        operation.responses = Object.fromEntries(
          Object.entries(operation.responses).map(([status, response]) => [
            status === '422' ? 'default' : status,
            response.headers === undefined
              ? response
              : { ...response, headers: only(response.headers, isCertain) },
          ]),
        );
    }
  return document;
}

function lastStep(reference: string): string {
  return reference.slice(reference.lastIndexOf('/') + 1);
}

function only<T>(record: Record<string, T>, keep: (value: T) => boolean): Record<string, T> {
  return Object.fromEntries(Object.entries(record).filter(([, value]) => keep(value)));
}
