import { element } from './dom.ts';
import { hashOf } from './hash.ts';
import { presetState, PRESETS } from './presets.ts';
import type { PlaygroundState } from './state.ts';

/** Buttons that set everything at once; the one whose state is shown is pressed. */
export function createPresetBar(onChoose: (state: PlaygroundState) => void) {
  const buttons = PRESETS.map((preset) => {
    const state = presetState(preset);
    const button = element(
      'button',
      {
        type: 'button',
        class:
          'cursor-pointer border border-edge px-3 py-1.5 hover:border-accent aria-pressed:border-ink aria-pressed:bg-ink aria-pressed:text-ground',
      },
      [preset.name],
    );
    button.addEventListener('click', () => onChoose(state));
    return { button, hash: hashOf(state) };
  });
  return {
    element: element(
      'div',
      { role: 'group', 'aria-label': 'Examples', class: 'flex flex-wrap gap-2' },
      buttons.map(({ button }) => button),
    ),
    show: (state: PlaygroundState): void => {
      const shown = hashOf(state);
      for (const { button, hash } of buttons) button.setAttribute('aria-pressed', String(hash === shown));
    },
  };
}
