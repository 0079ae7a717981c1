import { score } from '@touchstone/trust';
import { createDelayedCall } from '../../../page-parts/delayed-call.ts';
import { createElement } from '../../../page-parts/dom.ts';
import { HEALTHY_STATE, type PlaygroundState } from './fields.ts';
import { createForm } from './form.ts';
import { PRESETS, formatFragment, parseFragment, toPresetState } from './presets.ts';
import { toScoreInputs } from './score-inputs.ts';
import { collectImages, createBreakdown, createSummary, formatVerdict } from './verdict-view.ts';

/**
 * Delay between the last change of the form and its effects, in milliseconds: the new URL, and the announcement of the
 * verdict to screen readers.
 */
const SETTLE_DELAY_MS = 600;

/**
 * Starts the playground in its container. The URL fragment contains the playground state, so a link restores the state.
 *
 * @param root Container element. Its content is replaced, and its `template` elements provide the images.
 */
export function startPlayground(root: HTMLElement): void {
  const shared = parseFragment(location.hash);
  let state = shared ?? HEALTHY_STATE;
  const parts = createParts(root, (differs) => change({ ...state, ...differs }));
  const settled = createDelayedCall(SETTLE_DELAY_MS);
  const change = (next: PlaygroundState): void => {
    state = next;
    const announcement = parts.show(state);
    settled.schedule(() => {
      history.replaceState(null, '', formatFragment(state));
      parts.announce(announcement);
    });
  };
  root.replaceChildren(...parts.elements);
  parts.show(state);
  addEventListener('hashchange', () => {
    const linked = parseFragment(location.hash);
    if (linked === null) return;
    state = linked;
    parts.announce(parts.show(state));
    root.scrollIntoView();
  });
  // The page has just loaded, so the scroll needs no animation.
  if (shared !== null) root.scrollIntoView({ behavior: 'instant' });
}

function createParts(root: HTMLElement, onChange: (differs: Partial<PlaygroundState>) => void) {
  const presets = createPresetBar(onChange);
  const summary = createSummary(collectImages(root));
  const form = createForm(onChange);
  const breakdown = createBreakdown();
  const status = createElement('p', { role: 'status', class: 'sr-only' });
  const json = createElement('pre', {
    class: 'mt-2 overflow-x-auto border border-line bg-panel p-3 font-mono text-xs',
    tabindex: '0',
    'aria-label': 'Inputs as JSON',
  });
  const layout = createElement(
    'div',
    { class: 'mt-6 flex flex-col gap-6 lg:grid lg:grid-cols-2 lg:gap-x-12' },
    [
      createElement('div', { class: 'order-2 min-w-0 lg:order-none' }, [form.element]),
      createElement('div', { class: 'contents lg:block lg:min-w-0 lg:space-y-6' }, [
        createElement('div', { class: 'sticky top-0 z-10 order-1 lg:top-4' }, [summary.element]),
        createElement('div', { class: 'order-3 min-w-0' }, [breakdown.element]),
      ]),
    ],
  );
  const inputs = createElement('details', { class: 'mt-6' }, [
    createElement('summary', { class: 'cursor-pointer py-1 text-ink-soft' }, [
      'Inputs of the formula as JSON',
    ]),
    json,
  ]);
  return {
    elements: [presets.element, layout, inputs, status],
    announce: (sentence: string): void => {
      status.textContent = sentence;
    },
    /** Shows a playground state and its verdict. Returns the verdict as a sentence for screen readers. */
    show: (state: PlaygroundState): string => {
      const scoreInputs = toScoreInputs(state, Date.now());
      const verdict = score(scoreInputs);
      presets.show(state);
      form.show(state);
      summary.show(verdict);
      breakdown.show(verdict);
      json.textContent = JSON.stringify(scoreInputs, null, 2);
      return formatVerdict(verdict);
    },
  };
}

/**
 * Creates one button per preset. If the form shows the state of a preset, the button of that preset is marked as
 * pressed.
 */
function createPresetBar(onChoose: (state: PlaygroundState) => void) {
  const buttons = PRESETS.map((preset) => {
    const state = toPresetState(preset);
    const button = createElement(
      'button',
      {
        type: 'button',
        class:
          'cursor-pointer border border-edge px-3 py-1.5 hover:border-accent aria-pressed:border-ink aria-pressed:bg-ink aria-pressed:text-ground',
      },
      [preset.name],
    );
    button.addEventListener('click', () => onChoose(state));
    return { button, hash: formatFragment(state) };
  });
  return {
    element: createElement(
      'div',
      { role: 'group', 'aria-label': 'Examples', class: 'flex flex-wrap gap-2' },
      buttons.map(({ button }) => button),
    ),
    show: (state: PlaygroundState): void => {
      const shown = formatFragment(state);
      for (const { button, hash } of buttons) button.setAttribute('aria-pressed', String(hash === shown));
    },
  };
}
