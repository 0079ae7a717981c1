/*
 * Brings the explorer of the API reference to life when the reader comes near it: it is large, and the page does
 * without. It gets the published document; samples go under the name that it knows them by.
 */
const place = document.getElementById('explorer');

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
    Object.assign(script, { src: source, onload: loaded, onerror: failed });
    document.head.append(script);
  });

const open = async () => {
  const [answer] = await Promise.all([fetch('/openapi.json'), load('/openapi-explorer.js')]);
  const specification = withSamples(await answer.json());
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
  place.replaceChildren(explorer);
  await customElements.whenDefined('openapi-explorer');
  await explorer.loadSpec(specification);
};

const near = new IntersectionObserver(
  (entries) => {
    if (!entries.some((entry) => entry.isIntersecting)) return;
    near.disconnect();
    open();
  },
  { rootMargin: '400px' },
);
near.observe(place);
