import { createElement } from './dom.ts';
import { formatFragment } from './url-fragment.ts';
import { toPresetState, PRESETS } from './presets.ts';
import type { PlaygroundState } from './state.ts';

/**
 * Creates one button per preset. If the form shows the state of a preset, the button of that preset is marked as
 * pressed.
 */
export function createPresetBar(onChoose: (state: PlaygroundState) => void) {
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
