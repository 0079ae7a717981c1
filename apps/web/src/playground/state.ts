import { NUMBERS, type NumberField, type NumberId, type SwitchId } from './fields.ts';

/** State of the playground: a value for each number field and each switch. */
export type PlaygroundState = Readonly<Record<NumberId, number> & Record<SwitchId, boolean>>;

/** Playground state of a healthy endpoint. Presets and shared URLs contain only the differences from this state. */
export const HEALTHY_STATE: PlaygroundState = {
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
 * Limits a value to the range of a field and rounds it to a multiple of the field's step.
 *
 * @returns Null if the value is not a finite number.
 */
export function clampToField(id: NumberId, value: number): number | null {
  if (!Number.isFinite(value)) return null;
  const { min, max, step }: NumberField = NUMBERS[id];
  const stepped = Number((Math.round(value / step) * step).toFixed(2));
  return Math.min(max, Math.max(min, stepped));
}
