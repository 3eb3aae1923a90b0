/**
 * What moves on the page of a run: choosing an effect, zoom, filters, theme, keys. Everything that
 * is shown of values goes in as text, never as markup. The page is readable without it.
 */
const root = document.documentElement;
const find = (selector) => document.querySelector(selector);
const effects = JSON.parse(find('#effects').textContent);
const byId = new Map(effects.map((effect) => [effect.id, effect]));
const rows = [...document.querySelectorAll('.row.effect')];
const rowsOf = new Map(rows.map((row) => [row.dataset.effect, row]));
const timeline = find('.timeline');
const details = find('aside');
const shownMax = 2000;
let zoom = 1;

function element(name, text = '', className = '') {
  const made = document.createElement(name);
  made.textContent = text;
  if (className !== '') made.className = className;
  return made;
}

/** A text in a box; what is long is cut until it is asked for. */
function valueBox(text, bad) {
  const box = element('div');
  const value = element('pre', text, bad ? 'value bad' : 'value');
  box.append(value);
  if (text.length > shownMax) {
    value.textContent = `${text.slice(0, shownMax)}…`;
    const more = element('button', `Show all ${text.length} characters`, 'more');
    more.addEventListener('click', () => {
      value.textContent = text;
      more.remove();
    });
    box.append(more);
  }
  return box;
}

function choose(id) {
  const effect = byId.get(id);
  const row = rowsOf.get(id);
  if (!effect || !row) return;
  for (const other of rows) other.classList.toggle('chosen', other === row);
  details.replaceChildren(element('h3', `${effect.name}  ${effect.id}`));
  details.append(element('p', effect.times, 'soft'));
  if (effect.waitedFor !== null) {
    const link = element('button', `It waited for ${effect.waitedFor}.`, 'more');
    link.addEventListener('click', () => choose(effect.waitedFor));
    details.append(link);
  }
  for (const part of effect.parts) {
    details.append(element('h4', part.title), valueBox(part.text, part.bad === true));
  }
  details.hidden = false;
  find('.work').classList.add('open');
  row.scrollIntoView({ block: 'nearest' });
}

function close() {
  details.hidden = true;
  find('.work').classList.remove('open');
  for (const row of rows) row.classList.remove('chosen');
}

function move(by) {
  const visible = rows.filter((row) => row.offsetParent !== null);
  const at = visible.findIndex((row) => row.classList.contains('chosen'));
  const next = visible[at < 0 ? 0 : Math.min(visible.length - 1, Math.max(0, at + by))];
  if (!next) return;
  choose(next.dataset.effect);
  next.querySelector('button').focus({ preventScroll: true });
}

function setZoom(value) {
  zoom = Math.min(64, Math.max(1, value));
  root.style.setProperty('--zoom', String(zoom));
}

function setCritical() {
  const on = timeline.classList.toggle('only-critical');
  find('#critical').setAttribute('aria-pressed', String(on));
}

function setTheme() {
  const dark = matchMedia('(prefers-color-scheme: dark)').matches;
  const now = root.dataset.theme ?? (dark ? 'dark' : 'light');
  root.dataset.theme = now === 'dark' ? 'light' : 'dark';
}

function filter(text) {
  const wanted = text.trim().toLowerCase();
  for (const row of rows) {
    const { name, id, parts } = byId.get(row.dataset.effect);
    const texts = [name, id, ...parts.map((part) => part.text)];
    const fits = wanted === '' || texts.some((one) => one.toLowerCase().includes(wanted));
    row.classList.toggle('hidden', !fits);
  }
}

const keys = {
  ArrowDown: () => move(1),
  ArrowUp: () => move(-1),
  j: () => move(1),
  k: () => move(-1),
  '+': () => setZoom(zoom * 2),
  '=': () => setZoom(zoom * 2),
  '-': () => setZoom(zoom / 2),
  0: () => setZoom(1),
  c: setCritical,
  t: setTheme,
  Escape: close,
  '/': () => find('#filter').focus(),
};

document.addEventListener('keydown', (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.target.matches('input')) {
    if (event.key === 'Escape') event.target.blur();
    return;
  }
  const action = Object.hasOwn(keys, event.key) ? keys[event.key] : undefined;
  if (!action) return;
  event.preventDefault();
  action();
});
timeline.addEventListener('click', (event) => {
  const row = event.target.closest('.row.effect');
  if (row) choose(row.dataset.effect);
});
timeline.addEventListener(
  'wheel',
  (event) => {
    if (!event.ctrlKey) return;
    event.preventDefault();
    setZoom(zoom * (event.deltaY < 0 ? 1.25 : 0.8));
  },
  { passive: false },
);
find('#filter').addEventListener('input', (event) => filter(event.target.value));
find('#in').addEventListener('click', () => setZoom(zoom * 2));
find('#out').addEventListener('click', () => setZoom(zoom / 2));
find('#critical').addEventListener('click', setCritical);
find('#theme').addEventListener('click', setTheme);
for (const hidden of document.querySelectorAll('.needs-script')) hidden.hidden = false;
if (location.hash.startsWith('#effect=')) choose(decodeURIComponent(location.hash.slice(8)));
