/** Checks a request's parameters against the approved template, all faults at once. */
import { sentences } from '../../../platform/errors/parameters.ts';
import { codePoints } from '../../../platform/text/code-points.ts';
import { substitute } from '../../templates/substitute.ts';
import { identityOfParameter, rulesOf } from './kinds.ts';
import {
  type ChatAppParameter,
  componentFault,
  type Fault,
  type ParameterKind,
  parameterFault,
} from './parameter.ts';
import { bodySlots, headerTextSlots, identityOf, type Slot, slotsOf, type TextSlot } from './slots.ts';
import { type ChatAppTemplate, cardPart, type Part } from './template.ts';

/** Parameters by the identity of the slot they fill. */
export type Filling = ReadonlyMap<string, ChatAppParameter>;

export const longestHeader = 60;
export const longestBody = 1024;
export const longestCardBody = 160;

/**
 * What fills the template, or every fault: in the order of the request, then what is missing in the order of
 * the template, then texts that are too long when filled. `nowMs`: milliseconds since 1970. Never throws.
 */
export function checkParameters(
  template: ChatAppTemplate,
  params: readonly ChatAppParameter[],
  nowMs: number,
): { filling: Filling } | { faults: readonly Fault[] } {
  const { filling, faults } = fill(template, params, nowMs, longestBody);
  return faults.length > 0 ? { faults } : { filling };
}

function fill(part: Part, params: readonly ChatAppParameter[], nowMs: number, bodyLimit: number) {
  const slots = slotsOf(part);
  const faults: Fault[] = [];
  const given = new Map<string, ChatAppParameter>();
  const repeated = new Set<string>();
  const filling = new Map<string, ChatAppParameter>();
  for (const parameter of params) {
    const { type: kind } = parameter;
    const { label, addressFault } = rulesFor(parameter);
    const identity = identityOfParameter(parameter);
    if (addressFault !== undefined) {
      faults.push(parameterFault(kind, addressFault));
    } else if (!given.has(identity)) {
      given.set(identity, parameter);
      const own = faultsOf(parameter, part, slots, nowMs);
      faults.push(...own);
      if (own.length === 0) filling.set(identity, parameter);
    } else if (!repeated.has(identity)) {
      repeated.add(identity);
      faults.push(parameterFault(kind, sentences.duplicate(label)));
    }
  }
  for (const { kind, label, required } of slots)
    if (required && !given.has(identityOf({ kind, label })))
      faults.push(parameterFault(kind, sentences.missing(label)));
  const header = part.header?.format === 'TEXT' ? part.header.text : '';
  if (isTooLong(header, headerTextSlots(part), filling, longestHeader))
    faults.push(componentFault('HEADER', sentences.componentTooLong(longestHeader)));
  if (isTooLong(part.body?.text ?? '', bodySlots(part), filling, bodyLimit))
    faults.push(componentFault('BODY', sentences.componentTooLong(bodyLimit)));
  return { filling, faults: distinct(faults) };
}

function rulesFor(parameter: ChatAppParameter) {
  const rules = rulesOf<ParameterKind>(parameter.type);
  return {
    ...rules,
    label: rules.label(parameter as never),
    addressFault: rules.addressFault(parameter as never),
  };
}

/** The faults of a parameter that comes for the first time and names its place properly. */
function faultsOf(parameter: ChatAppParameter, part: Part, slots: readonly Slot[], nowMs: number): Fault[] {
  const { type: kind } = parameter;
  const { label, category, absence, sibling, valueFaults } = rulesFor(parameter);
  if (category !== undefined && category !== part.category)
    return [parameterFault(kind, sentences.category(kind, category))];
  const absent = absence(part, kind);
  if (absent !== undefined) return [absent];
  if (!slots.some((slot) => slot.kind === kind && slot.label === label))
    return [parameterFault(kind, notTaken(kind, label, sibling, slots))];
  const faults = valueFaults(parameter as never, label, part, nowMs).map((error) =>
    parameterFault(kind, error),
  );
  return parameter.type === 'CarouselCardParameter'
    ? [...faults, ...cardFaults(part, parameter, nowMs)]
    : faults;
}

function notTaken(
  kind: ParameterKind,
  label: string,
  sibling: ParameterKind | undefined,
  slots: readonly Slot[],
): string {
  const has = (wanted: ParameterKind | undefined) => slots.some((slot) => slot.kind === wanted);
  if (has(kind) || !has(sibling)) return sentences.unknown(label);
  return kind.includes('Named') ? sentences.named(label) : sentences.positional(label);
}

/** The faults of a card's own parameters, each with the card it is about. */
function cardFaults(
  part: Part,
  { cardIndex, params }: Extract<ChatAppParameter, { type: 'CarouselCardParameter' }>,
  nowMs: number,
): Fault[] {
  const card = part.carousel?.cards[cardIndex];
  if (card === undefined) return [];
  const { faults } = fill(cardPart(part, card), params, nowMs, longestCardBody);
  return faults.map((fault) => ({ ...fault, error: sentences.inCard(cardIndex, fault.error) }));
}

/** Judged only when every placeholder of the text has a good value. */
function isTooLong(text: string, slots: readonly TextSlot[], filling: Filling, limit: number): boolean {
  if (!slots.every((slot) => filling.has(identityOf(slot)))) return false;
  const values = new Map(slots.map((slot) => [slot.placeholder, filling.get(identityOf(slot))?.value]));
  return codePoints(substitute(text, (name) => values.get(name) ?? '')) > limit;
}

function distinct(faults: readonly Fault[]): Fault[] {
  return [...new Map(faults.map((fault) => [JSON.stringify(fault), fault])).values()];
}
