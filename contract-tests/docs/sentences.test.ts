/** The catalogue and the documents publish the same sentences. */
import { expect, test } from '@jest/globals';
import { answerExamples } from '../../spec/document.ts';
import { lineOf } from '../support/document/exercised.ts';
import { sentenceOf, sentences } from '../support/document/sentences.ts';
import { operations as management } from '../support/management/document.ts';

const shown = answerExamples().flatMap((example) => {
  const { desc, error_description } = example.value as Record<string, string>;
  const text = desc ?? error_description;
  return text === undefined ? [] : [{ line: lineOf(example), text, sentence: sentenceOf(text) }];
});

/** Sentences of the errors that the management API documents. */
const shownToOperators = management
  .flatMap(({ responses }) => Object.values(responses))
  .flatMap(({ content = {} }) => Object.values(content))
  .flatMap(({ examples = {} }) => Object.values(examples))
  .flatMap(({ value }) => (value as { desc?: string }).desc ?? []);

test('every sentence of the catalogue has an example', () => {
  const texts = [...shown.map(({ text }) => text), ...shownToOperators];
  const said = new Set(sentences.filter(({ pattern }) => texts.some((text) => pattern.test(text))));
  const missing = sentences.filter((one) => !said.has(one));
  // Calls of no operation are documented by none, and a caller whose body ends early is gone before a response.
  expect(missing.map(({ name }) => name).sort()).toEqual(['bodyIncomplete', 'methodNotAllowed', 'notHttp']);
});

test('every example contains a sentence of the catalogue or of its schema', () => {
  const ofSchemas =
    /^(schemaViolation|No valid (recipients|messages) found\.|No valid messages found: \{pointer\} must not be empty|Maximum number of recipients exceeded\.)$/;
  const known = new Set(sentences.map(({ name }) => name));
  const strange = shown.filter(({ sentence }) => !known.has(sentence) && !ofSchemas.test(sentence));
  expect(strange.map(({ line, text }) => `${line}: ${text}`)).toEqual([]);
});
