/** Runs a partner's command once per situation against a sandbox, and judges what it did. */
import type { Stopwatch } from '../../clock.ts';
import { type CommandLine, runToEnd } from '../command.ts';
import type { Result, Verdict } from '../verdict.ts';
import type { Control } from './control.ts';
import type { Exchange } from './exchange.ts';
import type { ClientSituation } from './situations.ts';

export interface ClientKit {
  control: Control;
  command: CommandLine;
  situations: readonly ClientSituation[];
  /** How long a run of the command may take. */
  limitSeconds: number;
  stopwatch: Stopwatch;
  onResult: (result: Result) => void;
}

/** Rejects when the command cannot be run, or sends nothing even if nothing goes wrong. */
export async function testClient(kit: ClientKit): Promise<Result[]> {
  const { situations, stopwatch, onResult } = kit;
  const normal = await record(kit, [], 'normal');
  if (normal.exchange.messages === 0)
    throw new Error(`the command sent no message and ${endOf(normal.exchange)}. It wrote:\n${normal.output}`);
  const results: Result[] = [];
  for (const situation of situations) {
    const startedMs = stopwatch.elapsedMs();
    const { exchange } =
      situation.faults.length === 0 ? normal : await record(kit, situation.faults, situation.name);
    const { name, title, guide } = situation;
    const seconds = (stopwatch.elapsedMs() - startedMs) / 1_000;
    const result = { name, title, guide, seconds, ...judge(situation, exchange, normal.exchange) };
    results.push(result);
    onResult(result);
  }
  return results;
}

export function judge({ judges }: ClientSituation, exchange: Exchange, normal: Exchange): Verdict {
  return { findings: [...new Set(judges.flatMap((one) => one(exchange, normal)))] };
}

async function record(
  { control, command, limitSeconds }: ClientKit,
  faults: ClientSituation['faults'],
  situation: string,
): Promise<{ exchange: Exchange; output: string }> {
  await control.reset();
  for (const fault of faults) await control.addFault(fault);
  const { description } = control;
  const { exitCode, output } = await runToEnd(
    {
      words: command.words,
      environment: {
        ...command.environment,
        TARISHI_URL: description.baseUrl,
        TARISHI_CLIENT_ID: description.clientId,
        TARISHI_CLIENT_SECRET: description.clientSecret,
        TARISHI_SIGNING_SECRET: description.signingSecret,
        TARISHI_SERVICE_ID: description.serviceId,
        TARISHI_CAMPAIGN_ID: description.campaignId,
        TARISHI_CHATAPP_SERVICE_ID: description.chatAppServiceId,
        TARISHI_SITUATION: situation,
      },
    },
    limitSeconds * 1_000,
  );
  const exchange = { calls: await control.calls(), messages: await control.countMessages(), exitCode };
  return { exchange, output };
}

function endOf({ exitCode }: Exchange): string {
  return exitCode === undefined ? 'did not end' : `exited with ${exitCode}`;
}
