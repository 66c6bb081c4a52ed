/** Runs a partner's command once per situation, each time in a sandbox of its own, and judges what it did. */
import { setTimeout as delay } from 'node:timers/promises';
import type { Clock, Stopwatch } from '../../../platform/clock.ts';
import { type CommandLine, startCommand } from '../command.ts';
import type { Result, Verdict } from '../verdict.ts';
import type { Control } from './control.ts';
import type { Exchange } from './exchange.ts';
import { gapMs, keyOf, type RecordedCall } from './exchange.ts';
import { whyOverdue } from './overdue.ts';
import type { ClientSituation } from './situations.ts';

export interface ClientKit {
  openSandbox: () => Promise<Control>;
  /** How many situations run at a time, each in a sandbox of its own. */
  parallel: number;
  command: CommandLine;
  situations: readonly ClientSituation[];
  /** How long a client may wait for a response. */
  patienceSeconds: number;
  clock: Clock & Stopwatch;
  /** Called when a situation ends, in whatever order they do. */
  onResult: (result: Result) => void;
}

interface Recorded {
  exchange: Exchange;
  output: string;
  seconds: number;
}

const watchMs = 500;

/** The results in the order of the situations. Rejects when the command does not even work if nothing goes wrong. */
export async function testClient(kit: ClientKit): Promise<Result[]> {
  const { openSandbox, parallel, situations, onResult } = kit;
  const firstSandbox = await openSandbox();
  const normal = await record(kit, firstSandbox, 'normal', []);
  requireUsable(normal);
  const results = new Map<ClientSituation, Result>();
  const conclude = (situation: ClientSituation, recorded: Recorded) => {
    const result = resultOf(situation, recorded, normal);
    results.set(situation, result);
    onResult(result);
  };

  const faultless = situations.filter(({ faults }) => faults.length === 0);
  for (const situation of faultless) conclude(situation, normal);
  const waiting = situations
    .filter((situation) => !faultless.includes(situation))
    .sort((one, other) => Number(other.isLong ?? false) - Number(one.isLong ?? false));
  const workThrough = async (opening: Control | Promise<Control>) => {
    const sandbox = await opening;
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift())
      conclude(next, await record(kit, sandbox, next.name, next.faults, normal.exchange));
  };
  const more = Array.from({ length: Math.min(parallel, waiting.length) - 1 }, () => openSandbox());
  await Promise.all([firstSandbox, ...more].map(workThrough));
  return situations.flatMap((situation) => results.get(situation) ?? []);
}

function judge({ judges }: ClientSituation, exchange: Exchange, normal: Exchange): Verdict {
  return { findings: [...new Set(judges.flatMap((one) => one(exchange, normal)))] };
}

function resultOf(situation: ClientSituation, { exchange, seconds }: Recorded, normal: Recorded): Result {
  const { name, title, guide } = situation;
  const verdict = judge(situation, exchange, normal.exchange);
  const calls = verdict.findings.length > 0 ? linesOf(exchange.calls) : [];
  return { name, title, guide, seconds, calls, ...verdict };
}

function requireUsable({ exchange: { messages, exitCode, stopped }, output }: Recorded): void {
  const end = stopped === undefined ? `exited with ${exitCode}` : `was stopped because it ${stopped}`;
  if (messages === 0) throw new Error(`the command sent no message and ${end}. It wrote:\n${output}`);
  if (stopped !== undefined)
    throw new Error(`the command sent ${messages} message(s) and ${end}. It wrote:\n${output}`);
}

async function record(
  kit: ClientKit,
  sandbox: Control,
  situation: string,
  faults: ClientSituation['faults'],
  normal?: Exchange,
): Promise<Recorded> {
  const { command, patienceSeconds, clock } = kit;
  await sandbox.reset();
  for (const fault of faults) await sandbox.addFault(fault);
  const startedMs = clock.now();
  const startedElapsedMs = clock.elapsedMs();
  const running = startCommand({
    words: command.words,
    environment: { ...command.environment, ...environmentOf(sandbox, situation) },
  });
  let stopped: string | undefined;
  try {
    const ended = running.ended.then(() => true);
    while (stopped === undefined && !(await Promise.race([ended, delay(watchMs, false, { ref: false })])))
      stopped = whyOverdue(
        await sandbox.calls(),
        { startedMs, nowMs: clock.now() },
        { patienceSeconds, normalCalls: normal?.calls.length },
      );
  } finally {
    await running.stop();
  }
  const { exitCode, output } = await running.ended;
  const [calls, messages] = await Promise.all([sandbox.calls(), sandbox.countMessages()]);
  const seconds = (clock.elapsedMs() - startedElapsedMs) / 1_000;
  return { exchange: { calls, messages, exitCode, stopped }, output, seconds };
}

function environmentOf({ description }: Control, situation: string): Record<string, string> {
  return {
    TARISHI_URL: description.baseUrl,
    TARISHI_CLIENT_ID: description.clientId,
    TARISHI_CLIENT_SECRET: description.clientSecret,
    TARISHI_SIGNING_SECRET: description.signingSecret,
    TARISHI_SERVICE_ID: description.serviceId,
    TARISHI_CAMPAIGN_ID: description.campaignId,
    TARISHI_CHATAPP_SERVICE_ID: description.chatAppServiceId,
    TARISHI_SITUATION: situation,
  };
}

const mostLines = 40;

/** The calls of a client for its developer: seconds since the first call, operation, Idempotency-Key, status and fault of each call. */
function linesOf(calls: readonly RecordedCall[]): string[] {
  const [first] = calls;
  if (first === undefined) return [];
  const rows = calls
    .slice(0, mostLines)
    .map((call) => [
      `${(gapMs(first, call) / 1_000).toFixed(3)} s`.padStart(11),
      call.operation ?? `${call.method} ${call.path}`,
      keyOf(call) ?? '-',
      `${call.status ?? 'no response'}${call.fault === undefined ? '' : ` (${call.fault})`}`,
    ]);
  const widths = [0, 1, 2].map((column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const lines = rows.map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  '));
  const left = calls.length - rows.length;
  return left === 0 ? lines : [...lines, `… and ${left} more`];
}
