/** Splits a shell command into its words, as far as the commands of the guides need it. */

/** Undefined if the command is more than words: pipes, substitutions, several commands. */
export function shellWords(command: string): string[] | undefined {
  const words: string[] = [];
  let rest = command.replaceAll('\\\n', ' ').trim();
  while (rest !== '') {
    let word = '';
    while (rest !== '' && !/^\s/.test(rest)) {
      const [all = '', ...parts] = /^(?:'([^']*)'|"([^"\\`]*)"|([^\s'"\\|;&<>()`]+))/.exec(rest) ?? [];
      const [single, double, plain] = parts;
      const part = single ?? double ?? plain;
      if (part === undefined || (single === undefined && part.includes('$('))) return undefined;
      word += part;
      rest = rest.slice(all.length);
    }
    words.push(word);
    rest = rest.trimStart();
  }
  return words;
}
