/** Names what the catalogues make: each error and fault has the slug of its entry. */

/** `invalidToken` becomes `invalid-token`. */
export function slugOf(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

/** The makers of a catalogue; what they make has a slug besides. */
export function withSlugs<Catalogue extends Record<string, (...details: never[]) => object>>(
  makers: Catalogue,
): {
  [Name in keyof Catalogue]: (
    ...details: Parameters<Catalogue[Name]>
  ) => ReturnType<Catalogue[Name]> & { slug: string };
} {
  const named = Object.entries(makers).map(([name, make]) => {
    const slug = slugOf(name);
    const maker = (...details: never[]) => Object.assign(make(...details), { slug });
    // Tests fill in as many details as a maker takes.
    return [name, Object.defineProperty(maker, 'length', { value: make.length })];
  });
  return Object.fromEntries(named);
}
