/** Compares two versions of a schema and all schemas inside it. */
import { type Change, change, inside, type Spot } from './change.ts';
import { keywordShifts, knownValueShifts, variantName } from './keywords.ts';
import { entries, isNode, list, type Node, namesOf, type Root, resolve } from './tree.ts';

/** The two documents whose schemas are compared. */
export interface Versions {
  before: Root;
  after: Root;
}

/** All changes at `spot`, whose writer decides what breaks. Schemas that contain themselves are walked once. */
export function compareSchemas(
  versions: Versions,
  before: unknown,
  after: unknown,
  spot: Spot,
  above: ReadonlySet<unknown> = new Set(),
): Change[] {
  if (above.has(before)) return [];
  const path = new Set(above).add(before);
  const [old, now] = [resolve(versions.before, before), resolve(versions.after, after)];
  const walk = (one: unknown, other: unknown, step: string) =>
    compareSchemas(versions, one, other, inside(spot, step), path);
  return [
    ...keywordShifts(old, now).map(({ shift, what }) => change(spot, shift, what)),
    ...compareProperties(old, now, spot, walk),
    ...compareRest(old.additionalProperties, now.additionalProperties, spot, walk),
    ...compareItems(old, now, spot, walk),
    ...compareVariants(versions, old, now, spot, walk),
  ];
}

type Walk = (before: unknown, after: unknown, step: string) => Change[];

function compareProperties(old: Node, now: Node, spot: Spot, walk: Walk): Change[] {
  const [before, after] = [entries(old.properties), entries(now.properties)];
  return namesOf(before, after).flatMap((name) => {
    if (!after.has(name)) return [change(inside(spot, `/${name}`), 'removed', 'field is gone')];
    if (!before.has(name)) {
      const found = change(inside(spot, `/${name}`), 'added', 'field is new');
      const wasIgnored = spot.writer === 'client' && opennessOf(old.additionalProperties) > 0;
      return [wasIgnored ? { ...found, wasIgnored: name } : found];
    }
    return walk(before.get(name), after.get(name), `/${name}`);
  });
}

/**
 * Properties without a name of their own. That a response may have more of them than before breaks nobody; one that
 * may have none any more could never gain a field.
 */
function compareRest(before: unknown, after: unknown, spot: Spot, walk: Walk): Change[] {
  if (isNode(before) && isNode(after)) return walk(before, after, '/*');
  const [old, now] = [opennessOf(before), opennessOf(after)];
  if (spot.writer === 'service' && now === 0 && old !== 0)
    return [change(spot, 'changed', 'is closed: nothing can be added to it any more')];
  if (old === now || (spot.writer === 'service' && old === 0)) return [];
  return [change(spot, now < old ? 'narrowed' : 'widened', 'what further properties may be')];
}

/** 0: none, 1: such as a schema says, 2: any. */
function opennessOf(additionalProperties: unknown): number {
  return additionalProperties === false ? 0 : isNode(additionalProperties) ? 1 : 2;
}

function compareItems(old: Node, now: Node, spot: Spot, walk: Walk): Change[] {
  if (old.items !== undefined && now.items !== undefined) return walk(old.items, now.items, '/*');
  if (old.items === now.items) return [];
  return [change(inside(spot, '/*'), old.items === undefined ? 'narrowed' : 'widened', 'what items may be')];
}

/** Variants are told apart by their constants; one more is one more that a reader must know. */
function compareVariants(versions: Versions, old: Node, now: Node, spot: Spot, walk: Walk): Change[] {
  return ['oneOf', 'anyOf'].flatMap((keyword) => {
    if (old[keyword] === undefined && now[keyword] === undefined) return [];
    if (old[keyword] === undefined) return [change(spot, 'narrowed', `${keyword} is new`)];
    if (now[keyword] === undefined) return [change(spot, 'widened', `${keyword} is gone`)];
    const [known, knownNow] = [knownOf(versions.before, old), knownOf(versions.after, now)];
    if (known !== undefined && knownNow !== undefined)
      return knownValueShifts(known, knownNow).map(({ shift, what }) => change(spot, shift, what));
    const before = variantsOf(versions.before, old[keyword]);
    const after = variantsOf(versions.after, now[keyword]);
    return namesOf(before, after).flatMap((name) => {
      const at = inside(spot, `<${name}>`);
      if (!after.has(name)) return [change(at, 'removed', 'variant is gone')];
      if (!before.has(name)) return [change(at, 'widened', 'variant is new')];
      return walk(before.get(name), after.get(name), `<${name}>`);
    });
  });
}

/** The known values of an extensible enum, which is an `anyOf` of them and any string. */
function knownOf(root: Root, { anyOf }: Node): Node | undefined {
  const [known, any, ...more] = list(anyOf).map((one) => resolve(root, one));
  const isExtensible = known?.enum !== undefined && any?.type === 'string' && any.enum === undefined;
  return isExtensible && more.length === 0 ? known : undefined;
}

function variantsOf(root: Root, variants: unknown): Map<string, unknown> {
  return new Map(list(variants).map((one, index) => [variantName(resolve(root, one), index), one]));
}
