import { createElement } from './dom.ts';
import { SWITCHES, type SwitchId } from './fields.ts';
import type { FieldRow } from './number-row.ts';

/** Creates a form row with a checkbox. */
export function createSwitchRow(id: SwitchId, onChange: (value: boolean) => void): FieldRow<boolean> {
  const box = createElement('input', {
    type: 'checkbox',
    id: `play-${id}`,
    class: 'size-5 shrink-0 cursor-pointer accent-accent',
  });
  box.addEventListener('change', () => onChange(box.checked));
  return {
    show: (value) => {
      box.checked = value;
    },
    element: createElement('label', { for: box.id, class: 'flex cursor-pointer items-center gap-3 py-2' }, [
      box,
      SWITCHES[id].label,
    ]),
  };
}
