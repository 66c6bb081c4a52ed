/** The reference of a message at networks that carry one. */

export interface ReferenceSettings {
  /** Unlike that of every other database whose messages the same account at the network gets. */
  referencePrefix: string;
}

export function referenceOf({ id }: { id: string }, { referencePrefix }: ReferenceSettings): string {
  return referencePrefix + id;
}

/** The message that a reference is about; undefined when it is none of ours. */
export function messageIdOf(
  reference: string | undefined,
  { referencePrefix }: ReferenceSettings,
): string | undefined {
  if (!reference?.startsWith(referencePrefix)) return undefined;
  const id = reference.slice(referencePrefix.length);
  return /^[1-9]\d{0,17}$/.test(id) ? id : undefined;
}
