/** The handlers of the control API, spec/sandbox.yaml: one for each of its operations. */
import type { components, operations, paths } from '../../../generated/sandbox.d.ts';
import type { Handlers } from '../../http/contract/operation.ts';
import type { PostedReceipt } from './callbacks.ts';
import type { Faults } from './faults.ts';
import type { ReceivedRequest } from './front.ts';
import type { ListedMessage, MessageFilter } from './message-repository.ts';
import type { Numbers } from './numbers.ts';
import type { Hear } from './phones/hear.ts';
import type { Recording } from './recording.ts';
import type { SandboxClock } from './time/clock.ts';
import { secondsOf } from './time/duration.ts';

export interface SandboxDocument {
  paths: paths;
  operations: operations;
  caller: never;
}

export interface ControlDependencies {
  describe: () => components['schemas']['Sandbox'];
  numbers: Numbers;
  clock: Pick<SandboxClock, 'now' | 'aheadMs'>;
  travel: (ms: number) => Promise<void>;
  messages: {
    list: (filter: Omit<MessageFilter, 'afterId'>) => Promise<ListedMessage[]>;
    clear: () => Promise<void>;
  };
  hear: Hear;
  /** In these countries and no others. */
  enableQuietHours: (countries: readonly string[]) => Promise<void>;
  setPumpingGuard: (guard: components['schemas']['PumpingGuard']['guard']) => Promise<void>;
  posted: Recording<PostedReceipt>;
  received: Recording<ReceivedRequest>;
  faults: Faults;
  reset: () => Promise<void>;
}

export function createControlHandlers({
  describe,
  numbers,
  clock,
  travel,
  messages,
  hear,
  enableQuietHours,
  setPumpingGuard,
  posted,
  received,
  faults,
  reset,
}: ControlDependencies): Handlers<SandboxDocument> {
  const time = () => ({ now: new Date(clock.now()).toISOString(), aheadSeconds: clock.aheadMs() / 1_000 });
  return {
    getSandbox: async ({ reply }) => reply(200, describe()),
    resetSandbox: async ({ reply }) => {
      await reset();
      return reply(204);
    },
    listNumbers: async ({ reply }) => reply(200, numbers.all()),
    replaceNumbers: async ({ body, reply }) => {
      numbers.replace(body);
      return reply(204);
    },
    setNumber: async ({ path, body, reply }) => {
      numbers.set(path.phone, body);
      return reply(204);
    },
    deleteNumber: async ({ path, reply }) => {
      numbers.delete(path.phone);
      return reply(204);
    },
    sendFromPhone: async ({ body, reply }) => {
      await hear.toService(body);
      return reply(204);
    },
    sendThroughSmsc: async ({ body, reply }) => {
      hear.throughSmsc(body);
      return reply(204);
    },
    setQuietHours: async ({ body, reply }) => {
      await enableQuietHours(body.countries);
      return reply(204);
    },
    setPumpingGuard: async ({ body, reply }) => {
      await setPumpingGuard(body.guard);
      return reply(204);
    },
    getClock: async ({ reply }) => reply(200, time()),
    advanceClock: async ({ body, reply }) => {
      await travel(secondsOf(body.advance) * 1_000);
      return reply(200, time());
    },
    listMessages: async ({ query, reply }) => reply(200, { messages: await messages.list(query) }),
    clearMessages: async ({ reply }) => {
      await messages.clear();
      return reply(204);
    },
    listReceipts: async ({ reply }) => reply(200, { receipts: [...posted.list()] }),
    clearReceipts: async ({ reply }) => {
      posted.clear();
      return reply(204);
    },
    listRequests: async ({ reply }) => reply(200, { requests: [...received.list()] }),
    clearRequests: async ({ reply }) => {
      received.clear();
      return reply(204);
    },
    listFaults: async ({ reply }) => reply(200, { faults: faults.list() }),
    addFault: async ({ body, reply }) => {
      faults.add(body);
      return reply(204);
    },
    clearFaults: async ({ reply }) => {
      faults.clear();
      return reply(204);
    },
  };
}
