/** Finds the operation of a document that a call is for. */
import { own } from '../../platform/text/own.ts';
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
    const fitting = paths.filter(
      ({ steps }) =>
        steps.length === called.length &&
        steps.every(
          (step, index) => step === called[index] || (step.startsWith('{') && called[index] !== ''),
        ),
    );
    // `/receipts/replay` fits `/receipts/{receiptId}` too; only one of them can be posted to.
    const fixed = fitting.find(({ steps }) => steps.every((step) => !step.startsWith('{')));
    return [fixed, ...fitting].flatMap((one) => own(one?.item, method.toLowerCase())?.operationId ?? [])[0];
  };
}
