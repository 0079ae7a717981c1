/* Loads the API explorer on wide screens. Narrow screens do not load the explorer, because its script is large. */
const container = document.getElementById('explorer');
const status = container.querySelector('[role="status"]');
const { component } = document.currentScript.dataset;

/*
 * The explorer reads code examples from `x-code-samples`, but the OpenAPI document has the examples in `x-codeSamples`.
 */
const renameSamples = (specification) => {
  for (const methods of Object.values(specification.paths)) {
    for (const operation of Object.values(methods)) {
      if (operation['x-codeSamples']) operation['x-code-samples'] = operation['x-codeSamples'];
    }
  }
  return specification;
};

const getColor = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

const loadScript = (source) =>
  new Promise((resolve, reject) => {
    const script = document.createElement('script');
    const onerror = () => reject(new Error(`${source} cannot be loaded`));
    Object.assign(script, { src: source, onload: resolve, onerror });
    document.head.append(script);
  });

const fetchDocument = async (source) => {
  const response = await fetch(source);
  if (!response.ok) throw new Error(`${source} responded with status ${response.status}`);
  return renameSamples(await response.json());
};

/* A page may have only one main landmark, so the main landmark of the explorer is removed. */
const removeMainLandmark = (explorer) => {
  const remove = () => explorer.shadowRoot.querySelector('main')?.setAttribute('role', 'presentation');
  new MutationObserver(remove).observe(explorer.shadowRoot, { childList: true, subtree: true });
  remove();
};

const openExplorer = async () => {
  status.textContent = 'Loading the explorer…';
  const [specification] = await Promise.all([fetchDocument('/openapi.json'), loadScript(component)]);
  const explorer = document.createElement('openapi-explorer');
  const settings = {
    'bg-color': getColor('--panel'),
    'text-color': getColor('--ink'),
    'nav-bg-color': getColor('--panel'),
    'nav-text-color': getColor('--ink'),
    'primary-color': getColor('--accent'),
    'secondary-color': getColor('--accent'),
    'header-color': getColor('--accent'),
    collapse: '',
    'hide-server-selection': '',
    'hide-authentication': '',
    'schema-expand-level': '1',
    'use-path-in-nav-bar': '',
  };
  for (const [name, value] of Object.entries(settings)) explorer.setAttribute(name, value);
  container.append(explorer);
  await explorer.loadSpec(specification);
  removeMainLandmark(explorer);
  status.textContent = '';
};

const showError = () => {
  container.innerHTML =
    '<p role="alert" class="border-l-4 border-accent bg-panel px-4 py-3">The explorer could not be loaded. Try again later, or read the <a href="/openapi.json">OpenAPI document</a>.</p>';
};

const wideScreen = matchMedia('(min-width: 48rem)');
let isOpened = false;
const openOnce = () => {
  if (isOpened || !wideScreen.matches) return;
  isOpened = true;
  openExplorer().catch(showError);
};
wideScreen.addEventListener('change', openOnce);
openOnce();
