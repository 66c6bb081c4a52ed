/** Looks up untrusted words in objects: without this, `constructor` and `__proto__` would be found in every one. */

/** The object's own property of that name. */
export function own<Value>(
  object: { readonly [name: string]: Value } | undefined,
  name: string | undefined,
): Value | undefined {
  return object !== undefined && name !== undefined && Object.hasOwn(object, name) ? object[name] : undefined;
}
