/** Describes the machine that a benchmark ran on. */
import { cpus, loadavg, release, totalmem, type } from 'node:os';

/** One line each. */
export function describeMachine(versions: readonly (string | undefined)[]): string[] {
  const cores = cpus();
  const [minute = 0] = loadavg();
  const gigabytes = Math.round(totalmem() / 2 ** 30);
  return [
    `${cores.length} × ${cores[0]?.model.trim() || 'unknown processor'}, ${gigabytes} GB of memory, ${type()} ${release()}`,
    `Node ${process.versions.node}${versions.map((one) => (one === undefined ? '' : `, ${one}`)).join('')}`,
    `load average before the run: ${minute.toFixed(2)}${minute > 0.5 ? ' (other work was running)' : ''}`,
  ];
}
