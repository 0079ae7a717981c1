import { NUMBER_IDS, SWITCH_IDS } from './fields.ts';
import { HEALTHY, settle, type PlaygroundState } from './state.ts';

const PREFIX = '#play:';

/** The fragment of an address that brings a state back: what differs from a healthy endpoint. */
export function hashOf(state: PlaygroundState): string {
  const differences = new URLSearchParams();
  for (const id of NUMBER_IDS) if (state[id] !== HEALTHY[id]) differences.set(id, String(state[id]));
  for (const id of SWITCH_IDS) if (state[id] !== HEALTHY[id]) differences.set(id, state[id] ? '1' : '0');
  return PREFIX + differences.toString();
}

/**
 * Reads the fragment of an address. Anybody may have written it: a name that no field has is passed over, a figure is
 * brought within the bounds of its field, and what cannot be read stays as a healthy endpoint has it.
 *
 * @returns Null when the fragment is none of the playground's.
 */
export function readHash(hash: string): PlaygroundState | null {
  if (!hash.startsWith(PREFIX)) return null;
  const given = new URLSearchParams(hash.slice(PREFIX.length));
  const numbers = NUMBER_IDS.map((id) => {
    const text = given.get(id)?.trim();
    return [id, text ? (settle(id, Number(text)) ?? HEALTHY[id]) : HEALTHY[id]] as const;
  });
  const switches = SWITCH_IDS.map((id) => {
    const text = given.get(id);
    return [id, text === '1' || (text !== '0' && HEALTHY[id])] as const;
  });
  return { ...HEALTHY, ...Object.fromEntries(numbers), ...Object.fromEntries(switches) };
}
