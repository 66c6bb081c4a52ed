/** The faults that tests ask for: which of them occurs in a case, and how often each has. */
import type { components } from '../../../generated/sandbox.d.ts';

export type Fault = components['schemas']['Fault'];
export type FaultKind = Fault['kind'];

const receiptFaults = [
  'duplicateReceipt',
  'reorderedReceipt',
  'lateReceipt',
  'wronglySignedReceipt',
  'unknownReceiptField',
  'unknownReceiptState',
] as const satisfies readonly FaultKind[];
export type ReceiptFaultKind = (typeof receiptFaults)[number];
export type CallFaultKind = Exclude<FaultKind, ReceiptFaultKind>;

/** What tells a call from others. */
export interface FaultyCall {
  /** Undefined: the document has none. */
  operation: string | undefined;
  path: string;
  idempotencyKey?: string | undefined;
  body: string;
}

export interface Faults {
  add: (fault: Fault) => void;
  list: () => { fault: Fault; occurred: number }[];
  clear: () => void;
  /** Undefined: none occurs. */
  ofCall: (call: FaultyCall) => (Fault & { kind: CallFaultKind }) | undefined;
  ofReceipt: () => (Fault & { kind: ReceiptFaultKind }) | undefined;
}

/** `random`: from 0 to below 1. */
export function createFaults(random: () => number): Faults {
  let faults: { fault: Fault; occurred: number; firstCall?: FaultyCall | undefined }[] = [];
  const isOfReceipts = ({ kind }: Fault) => (receiptFaults as readonly FaultKind[]).includes(kind);

  const occurs = ({ fault: { times, share = 1 }, occurred }: (typeof faults)[number]) =>
    (times === undefined || occurred < times) && (share === 1 || random() < share);

  const first = (matches: (one: (typeof faults)[number]) => boolean, call?: FaultyCall) => {
    const found = faults.find((one) => matches(one) && occurs(one));
    if (found === undefined) return undefined as never;
    found.occurred += 1;
    found.firstCall ??= call;
    return found.fault as never;
  };

  return {
    add: (fault) => {
      faults.push({ fault, occurred: 0 });
    },
    list: () => faults.map(({ fault, occurred }) => ({ fault, occurred })),
    clear: () => {
      faults = [];
    },
    ofCall: (call) =>
      first(
        ({ fault, firstCall }) =>
          !isOfReceipts(fault) &&
          (fault.operation === undefined || fault.operation === call.operation) &&
          (fault.sameRequest !== true || firstCall === undefined || isSameRequest(firstCall, call)),
        call,
      ),
    ofReceipt: () => first(({ fault }) => isOfReceipts(fault)),
  };
}

/** A client that retries with another key sends the same request all the same. */
function isSameRequest(one: FaultyCall, other: FaultyCall): boolean {
  if (one.idempotencyKey !== undefined && one.idempotencyKey === other.idempotencyKey) return true;
  return one.path === other.path && one.body === other.body;
}
