/** The faults that tests ask for: which of them occurs in a case, and how often each has. */
import type { components } from '../../generated/sandbox.d.ts';

export type Fault = components['schemas']['Fault'];
export type FaultKind = Fault['kind'];

export const receiptFaults = [
  'duplicateReceipt',
  'reorderedReceipt',
  'lateReceipt',
  'wronglySignedReceipt',
  'unknownReceiptField',
  'unknownReceiptState',
] as const satisfies readonly FaultKind[];
export type ReceiptFaultKind = (typeof receiptFaults)[number];
export type CallFaultKind = Exclude<FaultKind, ReceiptFaultKind>;

export interface Faults {
  add: (fault: Fault) => void;
  list: () => { fault: Fault; occurred: number }[];
  clear: () => void;
  /** The fault of a call of this operation; undefined: none occurs. */
  ofCall: (operation: string | undefined) => (Fault & { kind: CallFaultKind }) | undefined;
  ofReceipt: () => (Fault & { kind: ReceiptFaultKind }) | undefined;
}

/** `random`: from 0 to below 1. */
export function createFaults(random: () => number): Faults {
  let faults: { fault: Fault; occurred: number }[] = [];
  const isOfReceipts = ({ kind }: Fault) => (receiptFaults as readonly FaultKind[]).includes(kind);

  const occurs = ({ fault: { times, share = 1 }, occurred }: (typeof faults)[number]) =>
    (times === undefined || occurred < times) && (share === 1 || random() < share);

  const first = (matches: (fault: Fault) => boolean) => {
    const found = faults.find((one) => matches(one.fault) && occurs(one));
    if (found !== undefined) found.occurred += 1;
    return found?.fault as never;
  };

  return {
    add: (fault) => {
      faults.push({ fault, occurred: 0 });
    },
    list: () => faults.map((one) => ({ ...one })),
    clear: () => {
      faults = [];
    },
    ofCall: (called) =>
      first((fault) => !isOfReceipts(fault) && (fault.operation === undefined || fault.operation === called)),
    ofReceipt: () => first(isOfReceipts),
  };
}
