/** What pages do in a browser: the key of the search, and pages that make themselves newer. */

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
