import { NUMBER_IDS, SWITCH_IDS } from './fields.ts';
import { HEALTHY_STATE, clampToField, type PlaygroundState } from './state.ts';

const PREFIX = '#play:';

/** Formats a playground state as a URL fragment. The fragment contains only the differences from a healthy endpoint. */
export function formatFragment(state: PlaygroundState): string {
  const differences = new URLSearchParams();
  for (const id of NUMBER_IDS) if (state[id] !== HEALTHY_STATE[id]) differences.set(id, String(state[id]));
  for (const id of SWITCH_IDS)
    if (state[id] !== HEALTHY_STATE[id]) differences.set(id, state[id] ? '1' : '0');
  return PREFIX + differences.toString();
}

/**
 * Parses a URL fragment, which is untrusted. Unknown names are ignored, and numbers are limited to the range of their
 * field. An unreadable value is replaced by the value of a healthy endpoint.
 *
 * @returns Null if the fragment does not belong to the playground.
 */
export function parseFragment(fragment: string): PlaygroundState | null {
  if (!fragment.startsWith(PREFIX)) return null;
  const given = new URLSearchParams(fragment.slice(PREFIX.length));
  const numbers = NUMBER_IDS.map((id) => {
    const text = given.get(id)?.trim();
    return [id, text ? (clampToField(id, Number(text)) ?? HEALTHY_STATE[id]) : HEALTHY_STATE[id]] as const;
  });
  const switches = SWITCH_IDS.map((id) => {
    const text = given.get(id);
    return [id, text === '1' || (text !== '0' && HEALTHY_STATE[id])] as const;
  });
  return { ...HEALTHY_STATE, ...Object.fromEntries(numbers), ...Object.fromEntries(switches) };
}
