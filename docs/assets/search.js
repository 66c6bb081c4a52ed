/** The search dialog: a combobox over the index that the server built. */
import MiniSearch from './minisearch.js';
import { indexOptions, search } from './search-terms.js';

const docs = new URL(document.documentElement.dataset.docs, location.href);
const root = new URL('.', docs);

const dialog = document.createElement('dialog');
dialog.className = 'search-dialog';
dialog.setAttribute('aria-label', 'Search the documentation');
dialog.innerHTML = `<div class="field">
<input type="search" role="combobox" aria-label="Search the documentation" aria-autocomplete="list" aria-expanded="false"
 aria-controls="search-results" autocomplete="off" spellcheck="false" placeholder="Search guides, errors, reference">
<button type="button" class="close">Close</button></div>
<ul id="search-results" role="listbox" aria-label="Results"></ul>
<p class="state" role="status"></p>`;
document.body.append(dialog);
const input = dialog.querySelector('input');
const list = dialog.querySelector('ul');
const state = dialog.querySelector('.state');

let loading;
let active = -1;

export function open() {
  if (!dialog.open) dialog.showModal();
  input.select();
  find();
}

dialog.querySelector('.close').addEventListener('click', () => dialog.close());
// A click on what is behind the dialog.
dialog.addEventListener('click', (event) => {
  if (event.target === dialog) dialog.close();
});
input.addEventListener('input', find);
input.addEventListener('keydown', (event) => {
  const count = list.children.length;
  if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
    event.preventDefault();
    if (count > 0) activate((active + (event.key === 'ArrowDown' ? 1 : -1) + count) % count);
  } else if (event.key === 'Enter') {
    event.preventDefault();
    list.children[active]?.click();
  } else if (event.key === 'Escape' && input.value !== '') {
    // The first one would only empty the field.
    event.preventDefault();
    dialog.close();
  }
});

async function find() {
  const query = input.value.trim();
  loading ??= loadIndex();
  let index;
  try {
    index = await loading;
  } catch {
    loading = undefined;
    state.textContent = 'The index could not be loaded. Try again.';
    return;
  }
  if (query !== input.value.trim()) return;
  const results = query === '' ? [] : search(index, query);
  list.replaceChildren(...results.map(optionFor));
  input.setAttribute('aria-expanded', String(results.length > 0));
  state.textContent = query === '' ? '' : sentenceFor(results.length);
  activate(results.length > 0 ? 0 : -1);
}

function sentenceFor(count) {
  if (count === 0) return 'Nothing found. Try fewer or other words.';
  return count === 1 ? '1 result' : `${count} results`;
}

async function loadIndex() {
  const response = await fetch(new URL('docs/search.json', root));
  if (!response.ok) throw new Error(`status ${response.status}`);
  return MiniSearch.loadJSON(await response.text(), indexOptions);
}

function optionFor({ path, title, heading, group, excerpt }, place) {
  const option = document.createElement('li');
  option.id = `search-result-${place}`;
  option.setAttribute('role', 'option');
  option.append(
    line('where', heading === '' ? group : `${group} › ${title}`),
    line('what', heading === '' ? title : heading),
    line('excerpt', excerpt),
  );
  option.addEventListener('click', (event) => {
    const { href } = new URL(path.slice(1), root);
    if (event.ctrlKey || event.metaKey) window.open(href, '_blank', 'noopener');
    else {
      dialog.close();
      location.assign(href);
    }
  });
  option.addEventListener('mousemove', () => activate(place));
  return option;
}

function line(name, text) {
  const element = document.createElement('span');
  element.className = name;
  element.textContent = text;
  return element;
}

function activate(place) {
  active = place;
  [...list.children].forEach((option, number) => {
    option.setAttribute('aria-selected', String(number === place));
  });
  const option = list.children[place];
  if (option === undefined) input.removeAttribute('aria-activedescendant');
  else input.setAttribute('aria-activedescendant', option.id);
  option?.scrollIntoView({ block: 'nearest' });
}
