/** Tells errors of a database that cannot be reached from those that it returns. */

const away = Symbol('the database is away');

/**
 * Connection exceptions, a server that starts, stops, is full or read-only (PostgreSQL 18, appendix A), and the network.
 */
const awayCodes =
  /^(08...|57P0[1-5]|53300|25006|ECONNREFUSED|ECONNRESET|ECONNABORTED|EPIPE|ETIMEDOUT|EHOSTUNREACH|EHOSTDOWN|ENETUNREACH|ENOTFOUND|EAI_AGAIN|ENOENT)$/;
const sqlState = /^[0-9A-Z]{5}$/;
/** node-postgres, Knex and our own patience have no codes for these. */
const awayWords =
  /^(timeout expired|the database does not respond)$|^(Knex: Timeout acquiring a connection|Connection terminated|Client has encountered a connection error)/;

/** Of an error that the connection to the database threw: whether the database could not be reached. */
export function saysDatabaseIsAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = 'code' in error ? String(error.code) : '';
  // A database error may quote what a client sent, also words like those.
  return awayCodes.test(code) || (!sqlState.test(code) && awayWords.test(withoutStatement(error.message)));
}

/** Knex puts the statement before what went wrong. */
function withoutStatement(message: string): string {
  const separator = ' - ';
  const at = message.lastIndexOf(separator);
  return at < 0 ? message : message.slice(at + separator.length);
}

const readOnly = '25006';

/** Of SQLSTATE: the server, such as a fenced or demoted primary, takes no writes on the connection. */
export function saysReadOnly(code: string | undefined): boolean {
  return code === readOnly;
}

/** As PostgreSQL would say it, of a server that takes no writes. */
export function takesNoWrites(): Error {
  return Object.assign(new Error('the server takes no writes'), { code: readOnly });
}

/** Lets `isDatabaseAway` know the error wherever it is caught: a network of ours has the same codes. */
export function markDatabaseAway(error: Error): void {
  Object.assign(error, { [away]: true });
}

/** Whether the error, or one that caused it, was marked. */
export function isDatabaseAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return away in error || isDatabaseAway(error.cause);
}
