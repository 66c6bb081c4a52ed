/** Keeps the last entries of a list that tests read and clear. */

export interface Recording<Entry> {
  add: (entry: Entry) => void;
  list: () => readonly Entry[];
  clear: () => void;
}

export function createRecording<Entry>(limit = 10_000): Recording<Entry> {
  let entries: Entry[] = [];
  return {
    add: (entry) => {
      if (entries.length >= limit) entries.shift();
      entries.push(entry);
    },
    list: () => entries,
    clear: () => {
      entries = [];
    },
  };
}
