/** The scripts of numbers: what tests want the simulated networks to do, on top of the published outcomes. */
import type { components } from '../../../generated/sandbox.d.ts';
import { publishedScripts } from '../../connectors/simulators/published-scripts.ts';
import type {
  Script,
  ScriptedReply,
  ScriptedReport,
  SimulatorScripts,
} from '../../connectors/simulators/script.ts';
import type { Product } from '../../model/plan.ts';
import { isReported, type NetworkState, networkStatesOf, type ReportedState } from '../../model/states.ts';
import { secondsOf } from './time/duration.ts';

export type NumberScript = components['schemas']['NumberScript'];
export type NumberScripts = Readonly<Record<string, NumberScript>>;
type Step = NumberScript['steps'][number];
type StepOf<Name extends Step['step']> = Extract<Step, { step: Name }>;

export interface Numbers {
  /** What the simulated networks follow. */
  scripts: SimulatorScripts;
  all: () => NumberScripts;
  set: (phone: string, script: NumberScript) => void;
  delete: (phone: string) => void;
  replace: (scripts: NumberScripts) => void;
}

export function createNumbers(): Numbers {
  let byPhone = new Map<string, Scripted>();
  const scriptsOf = (product: Product) => (phone: string) => {
    const own = byPhone.get(phone);
    return own === undefined ? publishedScripts[product](phone) : scriptFor(product, own);
  };
  return {
    scripts: { sms: scriptsOf('sms'), data: scriptsOf('data'), chatapp: scriptsOf('chatapp') },
    all: () => Object.fromEntries([...byPhone].map(([phone, { script }]) => [phone, script])),
    set: (phone, script) => void byPhone.set(phone, scripted(script)),
    delete: (phone) => void byPhone.delete(phone),
    replace: (scripts) => {
      byPhone = new Map(Object.entries(scripts).map(([phone, script]) => [phone, scripted(script)]));
    },
  };
}

/** A script, and where its conversation is. */
interface Scripted {
  script: NumberScript;
  turnOf: (messageId: string) => number;
}

/** Begins anew whenever it is set. */
function scripted(script: NumberScript): Scripted {
  const turns = new Map<string, number>();
  return {
    script,
    turnOf: (messageId) => {
      const turn = turns.get(messageId) ?? turns.size + 1;
      // No step has a later turn.
      if (turn <= mostTurns) turns.set(messageId, turn);
      return turn;
    },
  };
}

const mostTurns = 100;

function scriptFor(product: Product, { script: { steps }, turnOf }: Scripted): Script {
  const those = <Name extends Step['step']>(name: Name) =>
    steps.filter((step): step is StepOf<Name> => step.step === name);
  const [rejection] = those('reject');
  const throttled = those('throttle').reduce((sum, { times = 1 }) => sum + times, 0);
  const reports = those('report').flatMap((step) => reportsOf(product, step));
  // Nobody replies to a bundle.
  const replies = product === 'data' ? [] : those('reply').map((step) => replyOf(product, step));
  return {
    ...(throttled === 0 ? {} : { throttled }),
    ...(rejection === undefined ? {} : { rejected: rejectedBy(product, rejection) }),
    reports: reports.sort((one, other) => one.afterSeconds - other.afterSeconds),
    ...(replies.length === 0 ? {} : { replies, turnOf }),
  };
}

function reportsOf(
  product: Product,
  { state, after = 'PT0S', times = 1, reason, reasonCode }: StepOf<'report'>,
): ScriptedReport[] {
  if (!isReported(product, state)) return [];
  const report: ScriptedReport = {
    state: state as ReportedState,
    afterSeconds: secondsOf(after),
    ...(reason === undefined ? {} : { reason }),
    ...(reasonCode === undefined ? {} : { reasonCode }),
  };
  return Array.from({ length: times }, () => report);
}

const replyOf = (
  product: Product,
  { text, after = 'PT1S', turn, picture }: StepOf<'reply'>,
): ScriptedReply => ({
  text,
  afterSeconds: secondsOf(after),
  ...(turn === undefined ? {} : { turn }),
  ...(picture && product === 'chatapp' ? { picture } : {}),
});

function rejectedBy(
  product: Product,
  { state = 'Failed', reason = 'The script of the number rejects it' }: StepOf<'reject'>,
): NonNullable<Script['rejected']> {
  const states: readonly string[] = networkStatesOf(product);
  return { state: states.includes(state) ? (state as NetworkState) : 'Failed', reason };
}
