/** What happens to messages and requests that operators should know of. */
import type { Plan, Product } from './plan.ts';
import type { ReachedState } from './states.ts';

export interface Events {
  requestAccepted: (plan: Plan) => void;
  requestRefused: (operation: string, status: number) => void;
  /** We sent a response that is not documented; `fault` tells where it differs. */
  responseUndocumented: (operation: string, fault: string) => void;
  /** A trusted issuer of tokens became unreachable, or is reachable again. */
  issuerReachable: (issuer: string, reachable: boolean, reason?: string) => void;
  stateReached: (reached: ReachedState) => void;
  /** A connector reported on messages that it was never handed. */
  reportsIgnored: (connector: string, reports: number) => void;
  receiptAttempted: (outcome: 'delivered' | 'ended' | 'again' | 'exhausted', attempt: MadeAttempt) => void;
  /** A team's callback endpoint began to fail, was parked after many failures, or works again. */
  endpointChanged: (change: 'failing' | 'parked' | 'recovered', teamId: string, origin: string) => void;
  receiptUnsigned: (receiptId: string, clientId: string) => void;
  /** A message has no receipt because the stored callback URL of its request cannot be called. */
  receiptImpossible: (requestId: string, messageId: string) => void;
  /** Messages in progress had no job, bundle or report to wait for; they were put back on their way. */
  messagesOrphaned: (messages: readonly { id: string; product: Product; state: string }[]) => void;
  /** An item could not be recorded because of its own data; it waits in quarantine. */
  itemQuarantined: (round: string, item: string, reason: string) => void;
  /** Messages had another connector of their route, because this one refused them or took none. */
  messagesMovedOn: (connector: string, why: 'refused' | 'passed over', messages: number) => void;
  /** Somebody called us for the connector without a proof that it is its network. */
  networkCallRefused: (connector: string) => void;
  /** A network sent an id or a time that we do not store, or a text that was cut; the rest of what it said counts. */
  networkValueIgnored: (connector: string, value: 'id' | 'time' | 'text') => void;
  /**
   * A phone sent a message, which was dropped: it goes to no service's sender, came through a connector that may not deliver
   * for that sender, or names none of the teams that share the number.
   */
  messageDropped: (connector: string, reason: 'sender' | 'network' | 'keyword') => void;
  /** Something of or for a person could not be read, and was stored as it is. */
  inboundUnreadable: (connector: string, kind: string, reason: string) => void;
}

/** An attempt to post a receipt, and its outcome. */
export interface MadeAttempt {
  body: string;
  /** Of the response; absent when there was none. */
  status?: number;
  /** Why there was no response. */
  error?: string;
  /** Until the next attempt, if there is one. */
  delaySeconds: number;
}
