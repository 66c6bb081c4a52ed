/** The error for octets that are not valid SMPP, or values that do not fit into it. */
import { statuses } from './commands.ts';

/** Ends the session it happens in, unless it is in the body of a request: only that request is rejected then. */
export class PduFault extends Error {
  /** The command_status of the generic_nack that tells the peer. */
  readonly status: number;

  constructor(message: string, status: number = statuses.invalidCommandLength) {
    super(message);
    this.name = 'PduFault';
    this.status = status;
  }
}
