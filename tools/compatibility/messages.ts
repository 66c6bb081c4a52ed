/** Compares two versions of an AsyncAPI document: the operations and the messages that the service sends. */
import { type Change, change, inside, type Spot } from './change.ts';
import { compareSchemas, type Versions } from './schemas.ts';
import { entries, type Node, namesOf, type Root, resolve } from './tree.ts';

export function compareMessages(versions: Versions): Change[] {
  return [
    ...compareNames(entries(versions.before.operations), entries(versions.after.operations)),
    ...compareContents(versions),
  ];
}

/** An operation says which message is sent where; generators name their code after it. */
function compareNames(before: ReadonlyMap<string, unknown>, after: ReadonlyMap<string, unknown>): Change[] {
  return namesOf(before, after).flatMap((operation) => {
    const spot: Spot = { operation, place: '', writer: 'service' };
    if (!after.has(operation)) return [change(spot, 'removed', 'operation is gone')];
    return before.has(operation) ? [] : [change(spot, 'added', 'operation is new')];
  });
}

function compareContents(versions: Versions): Change[] {
  const [before, after] = [messagesOf(versions.before), messagesOf(versions.after)];
  return namesOf(before, after).flatMap((operation) => {
    const [old, now] = [before.get(operation), after.get(operation)];
    const spot: Spot = { operation, place: '', writer: 'service' };
    if (now === undefined) return [change(spot, 'removed', 'message is gone')];
    if (old === undefined) return [change(spot, 'added', 'message is new')];
    return [
      ...compareSchemas(versions, old.headers, now.headers, inside(spot, 'headers ')),
      ...compareSchemas(versions, old.payload, now.payload, inside(spot, 'payload ')),
    ];
  });
}

function messagesOf(root: Root): Map<string, Node> {
  const { messages } = resolve(root, root.components);
  return new Map([...entries(messages)].map(([name, message]) => [name, resolve(root, message)]));
}
