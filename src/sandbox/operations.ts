/** Finds the operation of a document that a call is for. */
import type { ContractDocument } from '../http/contract/document.ts';

/** Undefined where the document has no operation. */
export function createOperationFinder({
  published,
}: ContractDocument): (method: string, path: string) => string | undefined {
  const paths = Object.entries(published.paths ?? {}).map(([path, item]) => ({
    pattern: new RegExp(`^${path.replace(/\{[^}]+\}/g, '[^/]+')}$`),
    item: item as Readonly<Record<string, { operationId?: string } | undefined>>,
  }));
  return (method, path) =>
    paths.find(({ pattern }) => pattern.test(path))?.item[method.toLowerCase()]?.operationId;
}
