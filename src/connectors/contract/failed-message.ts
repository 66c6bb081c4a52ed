/** The outcome of a message whose submission threw, so that the rest of its batch is not lost. */
import type { Logger } from 'pino';
import { ItemFault } from '../../platform/isolation/fault.ts';
import type { HandOver } from './connector.ts';

const askAfterSeconds = 10;

/** An ItemFault says that nothing was sent; after any other error the network is queried first. */
export function failedMessage(logger: Logger) {
  return (error: unknown): Extract<HandOver, { kind: 'faulty' | 'unclear' }> => {
    if (error instanceof ItemFault) return { kind: 'faulty', reason: error.message };
    logger.warn({ err: error }, 'submission failed; the network is queried about the message');
    return { kind: 'unclear', delaySeconds: askAfterSeconds };
  };
}
