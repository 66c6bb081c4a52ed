/** Finds the operation of a document that a call is for. */
import type { ContractDocument } from './document.ts';

/** Undefined where the document has no operation. */
export function createOperationFinder({
  published,
}: ContractDocument): (method: string, path: string) => string | undefined {
  const paths = Object.entries(published.paths ?? {}).map(([path, item]) => ({
    steps: path.split('/'),
    item: item as Readonly<Record<string, { operationId?: string } | undefined>>,
  }));
  return (method, path) => {
    const called = path.split('/');
    const found = paths.find(
      ({ steps }) =>
        steps.length === called.length &&
        steps.every(
          (step, index) => step === called[index] || (step.startsWith('{') && called[index] !== ''),
        ),
    );
    return found?.item[method.toLowerCase()]?.operationId;
  };
}
