/** What pages do in a browser: the key of the search, pages that make themselves newer, and double clicks. */

const search = document.querySelector('#find');
document.addEventListener('keydown', (event) => {
  const isTyping = event.target.closest?.('input, textarea, select, [contenteditable]');
  if (event.key !== '/' || isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
  if (search === null || location.pathname.endsWith('/me')) return;
  event.preventDefault();
  search.focus();
});

if (document.querySelector('main[data-refreshes]') !== null) {
  const { keepFresh } = await import('./refresh.js');
  keepFresh();
}

// On a narrow screen filters would stand between the heading and the list.
if (matchMedia('(max-width: 47.99rem)').matches)
  for (const filter of document.querySelectorAll('details.filter')) filter.open = false;

// The answer to the second click of a double click would hide that to the first, and what it shows once.
let sent = new WeakSet();
document.addEventListener('submit', (event) => {
  const { target: form } = event;
  if (form.method !== 'post') return;
  if (sent.has(form)) event.preventDefault();
  sent.add(form);
  setTimeout(() => sent.delete(form), 3_000);
});
addEventListener('pagehide', () => {
  sent = new WeakSet();
});

// What only a script can do is shown by it.
for (const button of document.querySelectorAll('[data-copy], [data-copies], [data-fills]'))
  button.hidden = false;

document.addEventListener('click', async (event) => {
  const button = event.target.closest?.('[data-copy], [data-copies]');
  if (!button) return;
  const { copy, copies } = button.dataset;
  await navigator.clipboard.writeText(copy ?? document.getElementById(copies).textContent);
  const words = button.firstChild.data;
  button.firstChild.data = 'Copied';
  setTimeout(() => {
    button.firstChild.data = words;
  }, 2_000);
});

document.addEventListener('change', async (event) => {
  const { files, dataset } = event.target;
  if (dataset.fills === undefined || files.length === 0) return;
  document.getElementById(dataset.fills).value = await files[0].text();
});
