import { NUMBERS, type NumberField, type NumberId, type SwitchId } from './fields.ts';

/** What the playground is set to: a figure for each slider, a fact for each switch. */
export type PlaygroundState = Readonly<Record<NumberId, number> & Record<SwitchId, boolean>>;

/** A healthy endpoint; presets and shared addresses say what differs from it. */
export const HEALTHY: PlaygroundState = {
  probes: 1440,
  uptime: 100,
  down: 0,
  p50: 150,
  p95: 400,
  pass: 100,
  warnings: 0,
  errors: 0,
  unpayable: 0,
  unpayableFor: 0,
  priceChanges: 0,
  priceDays: 3,
  payToChanges: 0,
  payToDays: 3,
  assetChanges: 0,
  assetDays: 3,
  age: 200,
  volume: 2500,
  payers: 60,
  topShare: 12,
  priceFactor: 1,
  sharedWith: 0,
  blocked: 0,
  redirected: 0,
  timed: true,
  charges: true,
  chainRead: true,
  advertises: true,
  templated: false,
  listed: true,
  described: true,
  networkKnown: true,
  falseUsdc: false,
  legacy: false,
  nameless: false,
  contradicts: false,
};

/**
 * A figure as its field allows it: within its bounds, in whole steps.
 *
 * @returns Null for what is no number.
 */
export function settle(id: NumberId, value: number): number | null {
  if (!Number.isFinite(value)) return null;
  const { min, max, step }: NumberField = NUMBERS[id];
  const stepped = Number((Math.round(value / step) * step).toFixed(2));
  return Math.min(max, Math.max(min, stepped));
}
