import { HEALTHY_STATE, type PlaygroundState } from './state.ts';

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
