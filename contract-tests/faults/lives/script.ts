/** Networks that do what is hoped for, and parts of others. */
import type { Received, StubAnswer } from '../../../src/connectors/http/provider-testing.ts';
import type { Networks, Script } from '../world/networks.ts';

const reportAfterMs = 2_000;
/** A provider is busy with a bundle for so long before it knows the reference. */
const workMs = 1_000;
const callbackAfterMs = 3_000;

export const refusedNumber = 0x0b;
export const queueFull = 0x14;

export const reported = {
  status: 0,
  report: { state: 'DELIVRD', error: '000', afterMs: reportAfterMs },
} as const;

/** The provider accepts, and is asked; it knows what it has done under a reference, and does it once. */
export const usual: Script = {
  sms: () => reported,
  bundle: provider({ status: 'PENDING', later: 'SUCCESSFUL' }),
  chat: chatApp([
    ['sent', 1_000],
    ['delivered', 2_000],
    ['read', 3_000],
  ]),
  first: ({ method }) =>
    method === 'GET'
      ? { status: 404 }
      : { status: 422, body: { code: 'NO_ROUTE', reason: { code: 'NO_ROUTE' } } },
  receipt: () => 204,
};

export interface Provided {
  /** What it says at first. */
  status: string;
  /** What it says when it is asked; absent: the same. */
  later?: string;
  /** Reports it by itself. */
  calls?: boolean;
  reason?: object;
}

export function provider({ status, later = status, calls = false, reason }: Provided): Script['bundle'] {
  const documentOf = (reference: string, says: string) => ({
    transactionId: `T-${reference}`,
    externalReference: reference,
    status: says,
    ...(reason === undefined ? {} : { reason }),
  });
  return async (request: Received, networks: Networks): Promise<StubAnswer> => {
    if (request.method !== 'POST') {
      const reference = new URLSearchParams(request.url.split('?')[1]).get('externalReference') ?? '';
      if (!networks.books.has(reference)) return { status: 404 };
      return { status: 200, body: documentOf(reference, later) };
    }
    const reference: string = request.body.externalReference;
    await new Promise((resolve) => setTimeout(resolve, workMs));
    if (calls && !networks.books.has(reference))
      networks.callBack('provider', callbackAfterMs, documentOf(reference, later));
    networks.books.add(reference);
    return { status: 202, body: documentOf(reference, status) };
  };
}

/** The chat app accepts, and says what becomes of the message after so many milliseconds. */
export function chatApp(statuses: readonly (readonly [status: string, afterMs: number])[]): Script['chat'] {
  return (request, networks) => {
    const id = `wamid.${networks.got.length}`;
    const { biz_opaque_callback_data } = request.body;
    for (const [status, afterMs] of statuses)
      networks.callBack('meta', afterMs, {
        object: 'whatsapp_business_account',
        entry: [
          {
            id: '1',
            changes: [{ field: 'messages', value: { statuses: [{ id, status, biz_opaque_callback_data }] } }],
          },
        ],
      });
    return { status: 200, body: { messages: [{ id }] } };
  };
}
