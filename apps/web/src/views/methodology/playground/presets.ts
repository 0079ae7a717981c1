import { HEALTHY_STATE, NUMBER_IDS, type PlaygroundState, SWITCH_IDS, clampToField } from './fields.ts';

/** Example endpoints. Each preset contains only the differences from a healthy endpoint. */
export const PRESETS: readonly { readonly name: string; readonly changes: Partial<PlaygroundState> }[] = [
  { name: 'Healthy', changes: {} },
  { name: 'New payTo address', changes: { payToChanges: 1, payToDays: 2 } },
  { name: 'Down for 30 hours', changes: { uptime: 97, down: 30 } },
  {
    name: 'Low uptime, high latency',
    changes: { uptime: 91, p50: 1800, p95: 6500, payers: 14, volume: 120 },
  },
  { name: 'Not payable', changes: { pass: 60, errors: 20, unpayable: 20, unpayableFor: 48 } },
  { name: 'Template', changes: { templated: true, priceChanges: 6, priceDays: 0.5 } },
  { name: 'One large payer', changes: { volume: 8000, payers: 3, topShare: 97 } },
  { name: 'Price × 12', changes: { priceFactor: 12, priceChanges: 1, priceDays: 0.5 } },
  { name: 'First seen today', changes: { probes: 24, age: 0.5, volume: 0, payers: 0, topShare: 0 } },
  {
    name: 'Never probed',
    changes: { probes: 0, age: 2, chainRead: false },
  },
  { name: 'Free', changes: { charges: false, chainRead: false, advertises: false } },
];

/** Returns the complete playground state of a preset. */
export function toPresetState({ changes: differs }: (typeof PRESETS)[number]): PlaygroundState {
  return { ...HEALTHY_STATE, ...differs };
}

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
 * Parses an untrusted URL fragment. Unknown names are ignored, and numbers are limited to the range of their field. An
 * unreadable value is replaced by the value of a healthy endpoint.
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
