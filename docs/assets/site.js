/** What every page does in a browser: copy buttons, tabs of languages, the search, the place in the contents. */

const storageKey = 'tarishi-language';

for (const block of document.querySelectorAll('.code')) addCopyButton(block);
const groups = [...document.querySelectorAll('.tabs')].map((group) => [
  ...group.querySelectorAll('[role=tab]'),
]);
for (const tabs of groups) listen(tabs);
selectEverywhere(recall());

for (const button of document.querySelectorAll('[data-search]')) {
  button.hidden = false;
  button.addEventListener('click', () => openSearch());
}
document.addEventListener('keydown', (event) => {
  const isTyping = event.target.closest?.('input, textarea, select, [contenteditable]');
  const isShortcut = event.key === 'k' && (event.ctrlKey || event.metaKey);
  if (!isShortcut && (event.key !== '/' || isTyping || event.ctrlKey || event.metaKey || event.altKey))
    return;
  event.preventDefault();
  openSearch();
});
followReading();
unfold(location.hash);
addEventListener('hashchange', () => unfold(location.hash));
document.addEventListener('click', ({ target }) => unfold(target.closest('a[href^="#"]')?.hash ?? ''));

/** Opens the section that a link leads to. */
function unfold(hash) {
  const fold = document.getElementById(decodeURIComponent(hash.slice(1)))?.closest('details');
  if (fold) fold.open = true;
}

/** Loaded, with the index, when it is opened for the first time. */
async function openSearch() {
  const { open } = await import('./search.js');
  open();
}

function addCopyButton(block) {
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'copy';
  button.textContent = 'Copy';
  button.addEventListener('click', async () => {
    const code = [...block.querySelectorAll('code')].find((one) => one.closest('[hidden]') === null);
    button.textContent = (await copy(code)) ? 'Copied' : 'Press Ctrl-C';
    setTimeout(() => {
      button.textContent = 'Copy';
    }, 2_000);
  });
  block.append(button);
}

/** Pages without HTTPS have no clipboard: then the text is selected, and copied as the reader would. False if not even that. */
async function copy(code) {
  try {
    await navigator.clipboard.writeText(code.textContent);
    return true;
  } catch {
    getSelection().selectAllChildren(code);
    return document.execCommand('copy');
  }
}

function listen(tabs) {
  for (const tab of tabs) {
    tab.addEventListener('click', () => choose(tab));
    tab.addEventListener('keydown', (event) => {
      const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
      if (step === undefined) return;
      event.preventDefault();
      const next = tabs[(tabs.indexOf(tab) + step + tabs.length) % tabs.length];
      choose(next);
      next.focus();
    });
  }
}

/** Keeps the reader's place, although the samples above may change their height. */
function choose(tab) {
  const { top } = tab.getBoundingClientRect();
  remember(tab.dataset.language);
  selectEverywhere(tab.dataset.language);
  scrollBy({ top: tab.getBoundingClientRect().top - top, behavior: 'instant' });
}

function selectEverywhere(language) {
  for (const tabs of groups) {
    if (!tabs.some((tab) => tab.dataset.language === language)) continue;
    for (const tab of tabs) {
      const isSelected = tab.dataset.language === language;
      tab.setAttribute('aria-selected', String(isSelected));
      tab.tabIndex = isSelected ? 0 : -1;
      document.getElementById(tab.getAttribute('aria-controls')).hidden = !isSelected;
    }
  }
}

function recall() {
  try {
    return localStorage.getItem(storageKey);
  } catch {
    return null;
  }
}

function remember(language) {
  try {
    localStorage.setItem(storageKey, language);
  } catch {
    // The choice holds for this page.
  }
}

/** Marks the section that is being read in the table of contents. */
function followReading() {
  const links = new Map(
    [...document.querySelectorAll('.contents.wide a')].map((link) => [link.hash.slice(1), link]),
  );
  const headings = [...links.keys()].map((id) => document.getElementById(id)).filter((one) => one !== null);
  if (headings.length === 0) return;
  const mark = () => {
    const passed = headings.filter((heading) => heading.getBoundingClientRect().top < 120);
    const current = passed.at(-1)?.id;
    for (const [id, link] of links) link.toggleAttribute('data-current', id === current);
  };
  addEventListener('scroll', mark, { passive: true });
  mark();
}
