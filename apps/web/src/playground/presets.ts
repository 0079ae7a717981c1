import { HEALTHY, type PlaygroundState } from './state.ts';

/** Endpoints as one meets them, by what differs from a healthy one. */
export const PRESETS: readonly { readonly name: string; readonly differs: Partial<PlaygroundState> }[] = [
  { name: 'Healthy', differs: {} },
  { name: 'Swapped wallet', differs: { payToChanges: 1, payToDays: 2 } },
  { name: 'Dead for a day', differs: { uptime: 97, down: 30 } },
  { name: 'Flaky and slow', differs: { uptime: 91, p50: 1800, p95: 6500, payers: 14, volume: 120 } },
  { name: 'Broken challenge', differs: { pass: 60, errors: 20, unpayable: 20, unpayableFor: 48 } },
  { name: 'Template', differs: { templated: true, priceChanges: 6, priceDays: 0.5 } },
  { name: 'One big customer', differs: { volume: 8000, payers: 3, topShare: 97 } },
  { name: 'Price times twelve', differs: { priceFactor: 12, priceChanges: 1, priceDays: 0.5 } },
  { name: 'Seen today', differs: { probes: 24, age: 0.5, volume: 0, payers: 0, topShare: 0 } },
  {
    name: 'Never probed',
    differs: { probes: 0, age: 2, chainRead: false },
  },
  { name: 'Free', differs: { charges: false, chainRead: false, advertises: false } },
];

/** The state of a preset. */
export function presetState({ differs }: (typeof PRESETS)[number]): PlaygroundState {
  return { ...HEALTHY, ...differs };
}
