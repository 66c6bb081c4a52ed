/** Makes a page newer every ten seconds, and leaves alone what its reader is at. */
import { Idiomorph } from './idiomorph.js';

const everyMs = 10_000;
const longestMs = 60_000;
const unattendedMs = 30 * 60_000;

export function keepFresh() {
  const main = document.querySelector('main');
  const clock = new Intl.DateTimeFormat('en-GB', { timeZone: main.dataset.zone, timeStyle: 'medium' });
  const line = document.createElement('p');
  const words = document.createElement('span');
  const stop = document.createElement('button');
  const news = document.createElement('p');
  Object.assign(line, { className: 'fresh', id: 'fresh' });
  Object.assign(stop, { type: 'button', className: 'copy', textContent: 'Stop' });
  Object.assign(news, { className: 'unseen', id: 'news', role: 'status' });
  line.append(words, ' ', stop);
  main.prepend(line);
  document.body.append(news);

  let etag = '';
  let waitMs = everyMs;
  let timer;
  let stopped = false;
  let asking = false;
  let updatedAt = Date.now();
  let attendedAt = Date.now();
  let said = announced(document);
  const say = (text) => {
    words.textContent = text;
  };
  const fresh = () => say(`Updated ${clock.format(updatedAt)}, every 10 seconds`);
  const old = (why) => say(`${why} since ${clock.format(updatedAt)}.`);

  const schedule = () => {
    clearTimeout(timer);
    if (!stopped && !document.hidden) timer = setTimeout(refresh, waitMs);
  };
  const end = (why) => {
    stopped = true;
    clearTimeout(timer);
    old(why);
    stop.textContent = 'Reload';
  };

  async function refresh() {
    if (asking) return;
    if (Date.now() - attendedAt > unattendedMs) return end('Not updated');
    asking = true;
    try {
      const response = await fetch(location.href, {
        headers: { 'If-None-Match': etag },
        redirect: 'error',
        signal: AbortSignal.timeout(everyMs),
      });
      // Also of a 304: browsers count what nobody reads as aborted.
      const text = await response.text();
      if (response.status !== 304) {
        const page = new DOMParser().parseFromString(text, 'text/html');
        const next = page.querySelector('main');
        // Signed out, or gone.
        if (!response.ok || next === null || page.querySelector('nav.pages') === null)
          throw new Error('no page');
        etag = response.headers.get('etag') ?? '';
        const ends = next.dataset.refreshes === undefined;
        update(main, next, line);
        const now = announced(main);
        news.textContent = [...now].filter((text) => !said.has(text)).join(' ');
        said = now;
        if (ends) {
          stopped = true;
          return line.remove();
        }
      }
      updatedAt = Date.now();
      waitMs = everyMs;
      fresh();
    } catch {
      waitMs = Math.min(waitMs * 2, longestMs);
      old('Not updated');
    } finally {
      asking = false;
    }
    schedule();
  }

  stop.addEventListener('click', () => {
    if (stopped) location.reload();
    else end('Stopped');
  });
  document.addEventListener('visibilitychange', () => {
    if (stopped) return;
    if (document.hidden) clearTimeout(timer);
    else refresh();
  });
  for (const kind of ['pointerdown', 'keydown', 'scroll'])
    addEventListener(
      kind,
      () => {
        attendedAt = Date.now();
      },
      { passive: true },
    );
  fresh();
  schedule();
}

/** What screen readers should hear when it is new. */
const announced = (root) =>
  new Set([...root.querySelectorAll('[data-announce]')].map((one) => one.textContent.trim()));

/** `line` is ours and stays. */
function update(main, next, line) {
  const before = textsOf(main);
  const focused = document.activeElement;
  const part = focused?.closest('[id]:has(h1, h2, h3)')?.id;
  const copy = line.cloneNode(true);
  next.prepend(copy);
  Idiomorph.morph(main, next, {
    ignoreActiveValue: true,
    restoreFocus: true,
    callbacks: {
      beforeNodeMorphed: (old, fresh) => {
        if (old === line || isInUse(old)) return false;
        if (old.localName === 'details' && fresh.localName === 'details') fresh.open = old.open;
        return true;
      },
    },
  });
  if (focused !== null && !focused.isConnected) focusHeading(part);
  for (const [id, text] of textsOf(main)) {
    const element = document.getElementById(id);
    if (before.get(id) === text || element === null) continue;
    element.classList.add('changed');
    setTimeout(() => element.classList.remove('changed'), 1_200);
  }
}

const textsOf = (main) => new Map([...main.querySelectorAll('[id]')].map((one) => [one.id, one.textContent]));

/** A form that somebody has begun, or a text that they have selected. */
function isInUse(node) {
  if (node.localName === 'form')
    return node.contains(document.activeElement) || [...node.elements].some(isChanged);
  const selection = getSelection();
  return (
    selection !== null &&
    !selection.isCollapsed &&
    node.nodeType === Node.TEXT_NODE &&
    selection.containsNode(node, true)
  );
}

const isChanged = (field) =>
  (field.defaultValue !== undefined && field.type !== 'hidden' && field.value !== field.defaultValue) ||
  (field.defaultChecked !== undefined && field.checked !== field.defaultChecked);

function focusHeading(part) {
  const heading =
    document.getElementById(part ?? '')?.querySelector('h1, h2, h3') ?? document.querySelector('h1');
  heading?.setAttribute('tabindex', '-1');
  heading?.focus();
}
