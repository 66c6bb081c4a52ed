/** How pages are indexed and found: the server builds the index with it, the browser searches with it. */

/** Words, names in code whole and in parts: `SendToMany` is found by sendtomany, send and many. */
function tokenize(text) {
  return text.split(/[^\p{L}\p{N}_-]+/u).filter((word) => word !== '');
}

function processTerm(term) {
  const parts = term.split(/[_-]+|(?<=[\p{Ll}\p{N}])(?=\p{Lu})/u);
  const words = parts.map((part) => part.toLowerCase()).filter((part) => part !== '');
  const all = [words.join(''), ...words].flatMap((word) => [word, singular(word)]);
  return [...new Set(all)].filter((word) => word !== '' && !stopWords.has(word));
}

/** Good enough for English: numbers, limits, retries. */
function singular(word) {
  if (word.length < 5 || !word.endsWith('s') || word.endsWith('ss')) return word;
  return word.endsWith('ies') ? `${word.slice(0, -3)}y` : word.slice(0, -1);
}

const stopWords = new Set(
  'a an and are as at be by can do does for from get has have how i if in into is it its my not of on or so that the their then there this to was what when where which who why will with you your'.split(
    ' ',
  ),
);

export const indexOptions = {
  fields: ['title', 'heading', 'keywords', 'names', 'text'],
  storeFields: ['path', 'title', 'heading', 'group', 'excerpt', 'weight'],
  tokenize,
  processTerm,
};

const searchOptions = {
  boost: { title: 4, heading: 5, keywords: 12, names: 3, text: 1 },
  prefix: (term) => term.length > 2,
  fuzzy: (term) => (term.length > 4 ? 0.25 : 0),
  maxFuzzy: 2,
  weights: { fuzzy: 0.3, prefix: 0.5 },
  boostDocument: (_id, _term, { weight }) => weight,
};

/** Sections that match, best first: what is named like the query, then those with all words before those with some. */
export function search(index, query, limit = 12) {
  const all = index.search(query, { ...searchOptions, combineWith: 'AND' });
  const known = new Set(all.map(({ id }) => id));
  const some = index.search(query, searchOptions).filter(({ id }) => !known.has(id));
  const isNamed = ({ heading }) => (heading === query ? 0 : 1);
  return [...all, ...some].sort((one, other) => isNamed(one) - isNamed(other)).slice(0, limit);
}
