/** How far long work is: a line on the terminal that is written anew; nothing if the output goes elsewhere. */

/** As much of a stream as is needed. */
export interface Terminal {
  isTTY?: boolean;
  columns?: number;
  write: (text: string) => unknown;
}

export interface Progress {
  /** So many are done, of the total. */
  at: (done: number) => void;
  /** For other output meanwhile: it stands above the line. */
  above: (write: () => void) => void;
  /** Removes the line. */
  end: () => void;
}

const barWidth = 24;
const clear = '\r\x1b[2K';

/** `total` things such as `parts`. The line is on the error output: the output is for results. */
export function startProgress(total: number, things: string, terminal: Terminal = process.stderr): Progress {
  let done = 0;
  let isEnded = terminal.isTTY !== true || total <= 0;
  const draw = () => {
    if (isEnded) return;
    const filled = Math.round((barWidth * done) / total);
    const line = `${'█'.repeat(filled)}${'░'.repeat(barWidth - filled)} ${done} of ${total} ${things}`;
    terminal.write(`${clear}${line.slice(0, (terminal.columns ?? 80) - 1)}`);
  };
  const erase = () => {
    if (!isEnded) terminal.write(clear);
  };
  draw();
  return {
    at: (count) => {
      done = Math.min(count, total);
      draw();
    },
    above: (write) => {
      erase();
      write();
      draw();
    },
    end: () => {
      erase();
      isEnded = true;
    },
  };
}
