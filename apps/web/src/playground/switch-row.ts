import { element } from './dom.ts';
import { SWITCHES, type SwitchId } from './fields.ts';
import type { Row } from './number-row.ts';

/** A fact as a box to tick. */
export function switchRow(id: SwitchId, onChange: (value: boolean) => void): Row<boolean> {
  const box = element('input', {
    type: 'checkbox',
    id: `play-${id}`,
    class: 'size-5 shrink-0 cursor-pointer accent-accent',
  });
  box.addEventListener('change', () => onChange(box.checked));
  return {
    show: (value) => {
      box.checked = value;
    },
    element: element('label', { for: box.id, class: 'flex cursor-pointer items-center gap-3 py-2' }, [
      box,
      SWITCHES[id].label,
    ]),
  };
}
