/** The address of the mock: each call is judged, gets its response from the judge or from Prism, and its receipts. */
import { Agent, type IncomingMessage } from 'node:http';
import type { Address } from '../bind.ts';
import { errors } from '../errors.ts';
import type { ContractDocument } from '../http/contract/document.ts';
import { createOperationFinder } from '../http/contract/operation-finder.ts';
import {
  forward,
  type ListeningFront,
  listenAsFront,
  type ReadResponse,
  readAll,
  rejectionResponse,
  write,
} from '../http/front/forward.ts';
import type { Judge } from './judge.ts';
import { examplesOf, type Preference, preferHeaderOf, readPreference, UnknownPreference } from './prefer.ts';
import type { Prism } from './prism.ts';
import type { PostReceipts } from './receipts.ts';

export interface FrontDependencies {
  document: ContractDocument;
  judge: Pick<Judge, 'port' | 'planOf' | 'responds'>;
  prism: Pick<Prism, 'port'>;
  /** Whether Prism makes all responses up. */
  dynamic: boolean;
  postReceipts: PostReceipts;
}

export async function startMockFront(
  { document, judge, prism, dynamic, postReceipts }: FrontDependencies,
  address: Address,
): Promise<ListeningFront> {
  const agent = new Agent({ keepAlive: true });
  const operationOf = createOperationFinder(document);
  const examples = examplesOf(document);

  const respond = async (request: IncomingMessage, body: Buffer): Promise<ReadResponse> => {
    const { method = 'GET', url = '/', headers } = request;
    const operation = operationOf(method, url.split('?', 1)[0] ?? '');
    const { prefer, ...others } = headers;
    let preference: Preference;
    try {
      preference = readPreference(
        operation && prefer?.toString(),
        operation ?? '',
        examples.get(operation ?? '') ?? new Map(),
      );
    } catch (error) {
      if (error instanceof UnknownPreference)
        return rejectionResponse(errors.schemaViolation(error.message), operation ?? '');
      throw error;
    }
    const judged = await forward(agent, judge.port, request, body);
    if (judged.status >= 300) return judged;
    const plan = judge.planOf(requestIdIn(judged) ?? '');
    const { response: wanted } = preference;
    const fits = judge.responds(operation ?? '') && wanted === undefined && !dynamic;
    const asked = { method, url, headers: wanted ? { ...others, prefer: preferHeaderOf(wanted) } : others };
    const response = fits ? judged : await forward(agent, prism.port, asked, body);
    const requestId = requestIdIn(response);
    if (plan !== undefined && response.status < 300 && requestId !== undefined)
      void postReceipts(plan, requestId, preference.receipt);
    return response;
  };

  const front = await listenAsFront(async (request, response) => {
    write(response, await respond(request, await readAll(request)));
  }, address);
  return {
    port: front.port,
    close: async () => {
      await front.close();
      agent.destroy();
    },
  };
}

/** Where the operations that send have it. */
function requestIdIn({ status, body }: ReadResponse): string | undefined {
  if (status >= 300 || body.length === 0) return undefined;
  const { result, requestId } = JSON.parse(body.toString());
  return result?.requestId ?? requestId;
}
