// Adds a button to each code block that copies its text. Without JavaScript, there is no button.
const COPIED_MS = 2500;
const BUTTON_CLASSES =
  'absolute top-2 right-2 max-sm:top-0 max-sm:min-h-11 min-h-8 rounded-sm border border-stone-line bg-stone px-3 text-sm text-stone-ink hover:border-stone-soft print:hidden';

// Announces the result to screen readers.
const status = document.createElement('p');
status.className = 'sr-only';
status.setAttribute('role', 'status');
document.body.append(status);

/** Copies the text of an element. Without access to the clipboard, the text is selected, and false is returned. */
async function copyText(source) {
  try {
    await navigator.clipboard.writeText(source.textContent);
    return true;
  } catch {
    // The clipboard is missing on pages without HTTPS, and the browser can refuse access to it.
    getSelection().selectAllChildren(source);
    return document.execCommand('copy');
  }
}

function addButton(block) {
  const source = block.querySelector('pre');
  const button = document.createElement('button');
  const setLabel = (label) => {
    button.textContent = label;
    button.setAttribute('aria-label', `${label}: ${source.getAttribute('aria-label')}`);
  };
  let timer;
  button.type = 'button';
  button.className = BUTTON_CLASSES;
  setLabel('Copy');
  button.addEventListener('click', async () => {
    const result = (await copyText(source)) ? 'Copied' : 'Selected, copy with the keyboard';
    setLabel(result);
    status.textContent = result;
    clearTimeout(timer);
    timer = setTimeout(() => {
      setLabel('Copy');
      status.textContent = '';
    }, COPIED_MS);
  });
  block.append(button);
}

document.querySelectorAll('[data-copyable]').forEach(addButton);
