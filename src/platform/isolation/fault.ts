/** Tells faults of one item's data from faults of the infrastructure. */

/** Our own code cannot handle this one item. The message must not quote the item: it is shown to operators. */
export class ItemFault extends Error {
  override readonly name = 'ItemFault';
}

/** Runs `make`; whatever it throws is the fault of the item it works on. */
export function orItemFault<Result>(message: string, make: () => Result): Result {
  try {
    return make();
  } catch (cause) {
    throw new ItemFault(message, { cause });
  }
}

/**
 * SQLSTATE classes that blame values: 21 cardinality, 22 data, 23 integrity, 54 program limits (an index row that is
 * too long), P0 raised by our own functions. All others (lost connections, deadlocks, full disks, timeouts) say
 * nothing about the items.
 */
const dataClasses = /^(?:21|22|23|54|P0)[0-9A-Z]{3}$/;

/** Errors that JavaScript throws when code meets a value it did not expect; by name, so that any realm's count. */
const valueErrors: ReadonlySet<unknown> = new Set(['TypeError', 'RangeError', 'SyntaxError', 'URIError']);

/** Whether the same work without the item at fault would succeed. */
export function isItemFault(error: unknown): boolean {
  const state = sqlStateOf(error);
  if (state !== undefined) return dataClasses.test(state);
  return error instanceof ItemFault || valueErrors.has(nameOf(error));
}

/** Why an item failed, without any of its values: messages of databases and of JavaScript quote them. */
export function reasonOf(error: unknown): string {
  const state = sqlStateOf(error);
  if (state !== undefined) return `database error ${state}`;
  if (error instanceof ItemFault) return error.message;
  return nameOf(error) ?? 'unknown error';
}

/** Two transactions waited for each other; the same transaction succeeds when it is run again. */
export function isConflict(error: unknown): boolean {
  const state = sqlStateOf(error);
  return state === '40P01' || state === '40001';
}

function nameOf(error: unknown): string | undefined {
  const name = error !== null && typeof error === 'object' && 'name' in error ? error.name : undefined;
  return typeof name === 'string' ? name : undefined;
}

/** The SQLSTATE of an error of the database. */
export function sqlStateOf(error: unknown): string | undefined {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  // EPIPE has five letters too; every SQLSTATE has a digit.
  return typeof code === 'string' && /^(?=.*\d)[0-9A-Z]{5}$/.test(code) ? code : undefined;
}
