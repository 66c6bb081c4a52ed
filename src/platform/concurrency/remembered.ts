/** Remembers the results of a function whose arguments come again and again, in bounded memory. */

/** `make` depends on its argument alone; the result that was made first is forgotten first. */
export function remembered<Result>(most: number, make: (key: string) => Result): (key: string) => Result {
  const results = new Map<string, Result>();
  return (key) => {
    const known = results.get(key);
    if (known !== undefined) return known;
    const result = make(key);
    const [first] = results.keys();
    if (results.size >= most && first !== undefined) results.delete(first);
    results.set(key, result);
    return result;
  };
}
