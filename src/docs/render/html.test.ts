/** Whatever is not HTML already is text, in every place of a template. */
import { expect, test } from '@jest/globals';
import { html } from './html.ts';

test('texts are escaped, HTML and lists of it are not', () => {
  const items = ['<b>', '"&\''].map((text) => html`<li title="${text}">${text}</li>`);
  expect(html`<ul>${items}</ul>`.text).toBe(
    '<ul><li title="&lt;b&gt;">&lt;b&gt;</li><li title="&quot;&amp;&#39;">&quot;&amp;&#39;</li></ul>',
  );
});

test('nothing is nothing, and zero is a number', () => {
  expect(html`${undefined}${null}${false}${''}${0}${[]}`.text).toBe('0');
});

test('characters that would hide or turn a text are shown', () => {
  expect(html`${'a\u202eb\u0000c\u2066d\ufeff\ne\t'}`.text).toBe('a[U+202E]b␀c[U+2066]d[U+FEFF]\ne\t');
});
