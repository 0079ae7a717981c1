import { score } from '@touchstone/trust';
import { createBreakdown } from './breakdown.ts';
import { element } from './dom.ts';
import { createForm } from './form.ts';
import { hashOf, readHash } from './hash.ts';
import { createPresetBar } from './preset-bar.ts';
import { scoreInputsOf } from './score-inputs.ts';
import { HEALTHY, type PlaygroundState } from './state.ts';
import { createSummary, drawingsIn, sentenceOf } from './summary.ts';

/** Long enough that a slider being moved is neither written to the address nor spoken at every step. */
const SETTLED_MS = 600;

/**
 * Puts the playground into the place the page keeps for it. Its state is in the address, so a link brings it back.
 *
 * @param root what stands there without a script is replaced, its templates are used
 */
export function startPlayground(root: HTMLElement): void {
  const shared = readHash(location.hash);
  let state = shared ?? HEALTHY;
  const parts = createParts(root, (differs) => change({ ...state, ...differs }));
  const afterAWhile = debounce(SETTLED_MS);
  const change = (next: PlaygroundState): void => {
    state = next;
    const spoken = parts.show(state);
    afterAWhile(() => {
      history.replaceState(null, '', hashOf(state));
      parts.speak(spoken);
    });
  };
  root.replaceChildren(...parts.elements);
  parts.show(state);
  addEventListener('hashchange', () => {
    const linked = readHash(location.hash);
    if (linked === null) return;
    state = linked;
    parts.speak(parts.show(state));
    root.scrollIntoView();
  });
  // The page has only just come, so there is nothing to be led away from step by step.
  if (shared !== null) root.scrollIntoView({ behavior: 'instant' });
}

function createParts(root: HTMLElement, onChange: (differs: Partial<PlaygroundState>) => void) {
  const presets = createPresetBar(onChange);
  const summary = createSummary(drawingsIn(root));
  const form = createForm(onChange);
  const breakdown = createBreakdown();
  const status = element('p', { role: 'status', class: 'sr-only' });
  const json = element('pre', {
    class: 'mt-2 overflow-x-auto border border-line bg-panel p-3 font-mono text-xs',
    tabindex: '0',
    'aria-label': 'Inputs as JSON',
  });
  const layout = element('div', { class: 'mt-6 flex flex-col gap-6 lg:grid lg:grid-cols-2 lg:gap-x-12' }, [
    element('div', { class: 'order-2 min-w-0 lg:order-none' }, [form.element]),
    element('div', { class: 'contents lg:block lg:min-w-0 lg:space-y-6' }, [
      element('div', { class: 'sticky top-0 z-10 order-1 lg:top-4' }, [summary.element]),
      element('div', { class: 'order-3 min-w-0' }, [breakdown.element]),
    ]),
  ]);
  const inputs = element('details', { class: 'mt-6' }, [
    element('summary', { class: 'cursor-pointer py-1 text-ink-soft' }, [
      'What the formula was given, as JSON',
    ]),
    json,
  ]);
  return {
    elements: [presets.element, layout, inputs, status],
    speak: (sentence: string): void => {
      status.textContent = sentence;
    },
    /** Shows a state and what it scores. */
    show: (state: PlaygroundState): string => {
      const given = scoreInputsOf(state, Date.now());
      const verdict = score(given);
      presets.show(state);
      form.show(state);
      summary.show(verdict);
      breakdown.show(verdict);
      json.textContent = JSON.stringify(given, null, 2);
      return sentenceOf(verdict);
    },
  };
}

/** Calls the last of several calls, once none has followed for so long. */
function debounce(waitMs: number): (call: () => void) => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  return (call) => {
    clearTimeout(timer);
    timer = setTimeout(call, waitMs);
  };
}
