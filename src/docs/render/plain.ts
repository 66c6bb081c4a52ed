/** Markdown as plain text, and plain text as Markdown; ids made of headings. */

/** Without markup: for a list of headings, a title, a result of the search. */
export function plain(text: string): string {
  return text.replace(/\[([^[\]]*)\]\([^()]*\)/g, '$1').replace(/\\([*[\]<>`\\])|[`*]/g, '$1');
}

/** The id of a heading, as readers of the repository know it. */
export function slugOf(heading: string): string {
  return plain(heading)
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
}

export interface Ids {
  /** The second heading of the same name gets a number. */
  ofHeading: (heading: string) => string;
  /** Only a row about a setting or a metric, named in its first cell, has one: the first on the page. */
  ofRow: (firstCell: string) => string | undefined;
}

/** Ids of one page. */
export function createIds(): Ids {
  const used = new Map<string, number>();
  const count = (id: string) => {
    const before = used.get(id) ?? 0;
    used.set(id, before + 1);
    return before;
  };
  return {
    ofHeading: (heading) => {
      const slug = slugOf(heading);
      const before = count(slug);
      return before === 0 ? slug : `${slug}-${before}`;
    },
    ofRow: (firstCell) => {
      const [, name] = /^`([A-Z][A-Z_]{3,}|tarishi_\w+)`/.exec(firstCell) ?? [];
      const id = name?.toLowerCase();
      return id === undefined || count(id) > 0 ? undefined : id;
    },
  };
}

/** A text that must not be taken for markup. */
export function escapeMarkdown(text: string): string {
  return text.replace(/[*[\]<>`\\]/g, '\\$&');
}
