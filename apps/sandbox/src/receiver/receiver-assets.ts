/** Style sheet of the page with the deliveries. Its colors follow the light or dark mode of the system. */
export const STYLE = `:root { color-scheme: light dark; --line: light-dark(#d4d4d8, #3f3f46); --quiet: light-dark(#52525b, #a1a1aa); }
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 1rem; max-width: 60rem; font: 1rem/1.5 system-ui, sans-serif; background: light-dark(#fff, #18181b); color: light-dark(#18181b, #f4f4f5); }
h1 { font-size: 1.5rem; margin: 0 0 .5rem; }
h2 { font-size: 1.0625rem; margin: 0; }
p { margin: .25rem 0; }
code, pre { font: .875rem/1.5 ui-monospace, monospace; overflow-wrap: anywhere; }
pre { white-space: pre-wrap; margin: .25rem 0 .75rem; padding: .5rem; border: 1px solid var(--line); border-radius: .25rem; }
article { padding: .75rem 0; border-top: 1px solid var(--line); }
.quiet { color: var(--quiet); font-size: .875rem; }
.text { white-space: pre-wrap; overflow-wrap: anywhere; }
.failed { color: light-dark(#b91c1c, #fca5a5); }
summary { cursor: pointer; padding: .25rem 0; }
a { color: inherit; }
`;

/**
 * Script of the page with the deliveries. It reads the page again every three seconds and inserts only new deliveries, so
 * that open details, the focus and the scroll position stay.
 */
export const SCRIPT = `const list = document.getElementById('deliveries');
const state = document.getElementById('state');
const refresh = async () => {
  const response = await fetch('/');
  const page = new DOMParser().parseFromString(await response.text(), 'text/html');
  const current = [...page.getElementById('deliveries').children];
  const ids = new Set(current.map(({ id }) => id));
  list.prepend(...current.filter(({ id }) => !document.getElementById(id)));
  for (const article of [...list.children]) if (!ids.has(article.id)) article.remove();
  if (state.textContent !== page.getElementById('state').textContent) state.textContent = page.getElementById('state').textContent;
};
const run = () => refresh().catch(() => { state.textContent = 'The sandbox does not respond.'; }).finally(() => setTimeout(run, 3000));
setTimeout(run, 3000);
`;
