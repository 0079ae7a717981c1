// Remembers the language of the code examples, and sends the requests of the forms.
const STORED_LANGUAGE = 'docs-language';
const MAX_SHOWN_CHARACTERS = 20_000;

function selectLanguage(language) {
  for (const input of document.querySelectorAll('input[type=radio]')) {
    if (input.value === language) input.checked = true;
  }
}

// The browser can refuse access to the storage. The language is then remembered for this page only.
try {
  selectLanguage(localStorage.getItem(STORED_LANGUAGE));
} catch {}

addEventListener('change', ({ target }) => {
  if (target.type !== 'radio') return;
  const { top } = target.getBoundingClientRect();
  selectLanguage(target.value);
  // The examples above change their height, so the selected tab is moved back to its place on the screen.
  scrollBy({ top: target.getBoundingClientRect().top - top, behavior: 'instant' });
  try {
    localStorage.setItem(STORED_LANGUAGE, target.value);
  } catch {}
});

/** Decodes a header that is base64 of JSON in UTF-8. */
function decodeHeader(value) {
  const bytes = Uint8Array.from(atob(value), (character) => character.charCodeAt(0));
  return formatJson(new TextDecoder().decode(bytes));
}

function formatJson(text) {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

function send(form) {
  const { method, path } = form.dataset;
  const query = new URLSearchParams();
  let target = path;
  for (const { name, value, dataset } of form.querySelectorAll('input')) {
    if (dataset.place === 'path') target = target.replace(`{${name}}`, encodeURIComponent(value));
    else if (value !== '') query.set(name, value);
  }
  const body = form.querySelector('[data-body]')?.value;
  const headers = { Accept: 'application/json', ...(body ? { 'Content-Type': 'application/json' } : {}) };
  return fetch(query.size > 0 ? `${target}?${query}` : target, { method, headers, body });
}

function appendOutput(form) {
  const output = document.createElement('pre');
  output.className =
    'mt-2 rounded-sm border border-stone-line bg-stone px-4 py-3 font-mono text-sm text-stone-ink';
  output.tabIndex = 0;
  output.setAttribute('role', 'group');
  form.append(output);
  return output;
}

/** Shows a response in the place of the challenge or of the previous response. */
function showResponse(form, text) {
  const output = form.querySelector('pre') ?? appendOutput(form);
  output.setAttribute('aria-label', 'Response of the service');
  output.textContent =
    text.length > MAX_SHOWN_CHARACTERS ? `${text.slice(0, MAX_SHOWN_CHARACTERS)}\n…` : text;
}

addEventListener('submit', async (event) => {
  const form = event.target;
  if (form.dataset.path === undefined) return;
  event.preventDefault();
  const status = form.querySelector('[role=status]');
  status.textContent = 'Sending…';
  try {
    const response = await send(form);
    const challenge = response.headers.get('PAYMENT-REQUIRED');
    const text = await response.text();
    status.textContent =
      challenge === null
        ? `Status ${response.status}.`
        : `Status ${response.status}: the challenge in the header PAYMENT-REQUIRED, decoded. Nothing was charged.`;
    showResponse(form, challenge === null ? formatJson(text) : decodeHeader(challenge));
  } catch {
    const output = form.querySelector('pre');
    (output?.closest('[data-copyable]') ?? output)?.remove();
    status.textContent = 'The service did not respond. Check your connection, and send the request again.';
  }
});
