/*
 * Brings the explorer of the API to life, where the screen has room for it: it is large, and the reference does without.
 * It gets the published document; samples go under the name that it knows them by.
 */
const place = document.getElementById('explorer');
const status = place.querySelector('[role="status"]');
const { component } = document.currentScript.dataset;

const withSamples = (specification) => {
  for (const methods of Object.values(specification.paths)) {
    for (const operation of Object.values(methods)) {
      if (operation['x-codeSamples']) operation['x-code-samples'] = operation['x-codeSamples'];
    }
  }
  return specification;
};

const color = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

const load = (source) =>
  new Promise((loaded, failed) => {
    const script = document.createElement('script');
    const onerror = () => failed(new Error(`${source} cannot be loaded`));
    Object.assign(script, { src: source, onload: loaded, onerror });
    document.head.append(script);
  });

const read = async (source) => {
  const answer = await fetch(source);
  if (!answer.ok) throw new Error(`${source} answers ${answer.status}`);
  return withSamples(await answer.json());
};

/* The page has a main landmark already, and may have one only. */
const withoutLandmark = (explorer) => {
  const remove = () => explorer.shadowRoot.querySelector('main')?.setAttribute('role', 'presentation');
  new MutationObserver(remove).observe(explorer.shadowRoot, { childList: true, subtree: true });
  remove();
};

const open = async () => {
  status.textContent = 'Loading the explorer…';
  const [specification] = await Promise.all([read('/openapi.json'), load(component)]);
  const explorer = document.createElement('openapi-explorer');
  const settings = {
    'bg-color': color('--panel'),
    'text-color': color('--ink'),
    'nav-bg-color': color('--panel'),
    'nav-text-color': color('--ink'),
    'primary-color': color('--accent'),
    'secondary-color': color('--accent'),
    'header-color': color('--accent'),
    collapse: '',
    'hide-server-selection': '',
    'hide-authentication': '',
    'schema-expand-level': '1',
    'use-path-in-nav-bar': '',
  };
  for (const [name, value] of Object.entries(settings)) explorer.setAttribute(name, value);
  place.append(explorer);
  await explorer.loadSpec(specification);
  withoutLandmark(explorer);
  status.textContent = '';
};

const failed = () => {
  place.innerHTML =
    '<p role="alert" class="border-l-4 border-accent bg-panel px-4 py-3">The explorer could not be loaded. Try again later, or read the <a href="/openapi.json">OpenAPI document</a>.</p>';
};

const wide = matchMedia('(min-width: 48rem)');
let opened = false;
const openOnce = () => {
  if (opened || !wide.matches) return;
  opened = true;
  open().catch(failed);
};
wide.addEventListener('change', openOnce);
openOnce();
