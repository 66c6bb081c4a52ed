/** Tells the statements that found or changed something from those that only looked whether there is work. */

interface Result {
  command: string;
  rowCount: number | null;
  rows: unknown[];
}

export interface IdleStatements {
  /** From now on a service runs that has nothing to do. */
  startLearning: () => void;
  /** A statement of it. */
  learn: (text: string, result: Result) => void;
  /** From now on there is something to do. */
  learnt: () => void;
  /** Whether it is nothing but a look. */
  isIdle: (text: string, result: Result) => boolean;
  /** Forgets what a run has shown. */
  startRun: () => void;
}

/** What is cached for seconds is read again and again: by then it is no news. */
const mostEqual = 2;

export function createIdleStatements(): IdleStatements {
  const known = new Set<string>();
  let counts = new Map<string, number>();
  let learning = false;
  return {
    startLearning: () => {
      learning = true;
    },
    learn: (text, result) => {
      if (learning) known.add(signatureOf(text, result));
    },
    learnt: () => {
      learning = false;
    },
    isIdle: (text, result) => {
      const signature = signatureOf(text, result);
      if (known.has(signature)) return true;
      const count = (counts.get(signature) ?? 0) + 1;
      counts.set(signature, count);
      return count > mostEqual && !/^(insert|update|delete)$/i.test(result.command);
    },
    startRun: () => {
      counts = new Map();
    },
  };
}

/** Ids and instants differ from one look to the next. */
function signatureOf(text: string, { rowCount, rows }: Result): string {
  const shown = JSON.stringify(rows)
    .replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, '#')
    .replace(/\d+/g, '#');
  return `${text}\n${rowCount}\n${shown}`;
}
