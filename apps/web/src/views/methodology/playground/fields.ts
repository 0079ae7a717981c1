/** Form field for a number that is set with a slider. */
export interface NumberField {
  readonly group: FieldGroup;
  readonly label: string;
  /** Value of a healthy endpoint. */
  readonly healthy: number;
  /** Unit of the number, shown after it. */
  readonly unit: string;
  readonly min: number;
  readonly max: number;
  /** Step size: every valid value is a multiple of the step size. */
  readonly step: number;
  /** Scale of the slider. On a `log` scale, each order of magnitude takes the same length of the slider. */
  readonly scale: 'linear' | 'log';
}

/** Form field for a setting that is on or off. */
interface SwitchField {
  readonly group: FieldGroup;
  readonly label: string;
  /** Setting of a healthy endpoint. */
  readonly healthy: boolean;
}

/** Groups of form fields, in the order of the form. */
export const GROUPS = [
  {
    id: 'service',
    title: 'Probes, last 30 days',
    hint: 'Scored probes count for uptime. There is one every 30 minutes.',
  },
  {
    id: 'challenges',
    title: 'Payment challenges',
    hint: 'Proportions of all challenges. They do not have to add up to 100.',
  },
  {
    id: 'changes',
    title: 'Changes of the payment terms, last 30 days',
    hint: 'Earlier changes are distributed evenly over the rest of the 30 days.',
  },
  { id: 'market', title: 'Age, volume and payers', hint: null },
  { id: 'other', title: 'Other properties', hint: null },
] as const satisfies readonly { id: string; title: string; hint: string | null }[];

export type FieldGroup = (typeof GROUPS)[number]['id'];

const count = { min: 0, step: 1, scale: 'linear', unit: '' } as const;
const part = { ...count, group: 'challenges', max: 100, unit: 'parts' } as const;
const changes = { ...count, group: 'changes', max: 10 } as const;
const market = { ...count, group: 'market' } as const;
const other = { ...count, group: 'other' } as const;
const daysAgo = { group: 'changes', min: 0, max: 30, step: 0.5, scale: 'linear', unit: 'days ago' } as const;
const hours = { group: 'service', min: 0, max: 720, step: 1, scale: 'log', unit: 'hours' } as const;
const latency = { group: 'service', min: 1, max: 10_000, step: 1, scale: 'log', unit: 'ms' } as const;

/** Number fields of the playground, by their names in a shared URL. */
export const NUMBERS = {
  probes: { healthy: 1440, ...count, group: 'service', label: 'Scored probes', max: 1440, unit: 'probes' },
  uptime: { healthy: 100, ...count, group: 'service', label: 'Uptime', unit: '%', max: 100, step: 0.1 },
  down: { healthy: 0, ...hours, label: 'Current outage' },
  p50: { healthy: 150, ...latency, label: 'Median latency' },
  p95: { healthy: 400, ...latency, label: '95th percentile of latency' },
  pass: { healthy: 100, ...part, label: 'No findings' },
  warnings: { healthy: 0, ...part, label: 'Warnings only' },
  errors: { healthy: 0, ...part, label: 'Errors, but payable' },
  unpayable: { healthy: 0, ...part, label: 'Not payable' },
  unpayableFor: { healthy: 0, ...hours, group: 'challenges', label: 'Time without a payable challenge' },
  priceChanges: { healthy: 0, ...changes, label: 'Price changes' },
  priceDays: { healthy: 3, ...daysAgo, label: 'Latest price change' },
  payToChanges: { healthy: 0, ...changes, label: 'Changes of the payTo address' },
  payToDays: { healthy: 3, ...daysAgo, label: 'Latest change of the payTo address' },
  assetChanges: { healthy: 0, ...changes, label: 'Changes of asset or network' },
  assetDays: { healthy: 3, ...daysAgo, label: 'Latest change of asset or network' },
  age: { healthy: 200, ...market, label: 'First seen', unit: 'days ago', max: 365, step: 0.5 },
  volume: {
    healthy: 2500,
    ...market,
    label: 'Settled volume, 30 days',
    unit: 'US dollars',
    max: 100_000,
    step: 0.01,
    scale: 'log',
  },
  payers: { healthy: 60, ...market, label: 'Payers', unit: 'payers', max: 1000, scale: 'log' },
  topShare: {
    healthy: 12,
    ...market,
    label: 'Share of the largest payer',
    unit: '% of the volume',
    max: 100,
  },
  priceFactor: {
    healthy: 1,
    ...other,
    label: 'Price relative to its median',
    unit: 'times',
    min: 0.1,
    max: 20,
    step: 0.1,
  },
  sharedWith: {
    healthy: 0,
    ...other,
    label: 'Endpoints of other hosts with the same payTo address',
    max: 20,
  },
  blocked: { healthy: 0, ...other, label: 'Blocked probes', max: 1440, unit: 'probes' },
  redirected: {
    healthy: 0,
    ...other,
    label: 'Probes with a redirect that was not followed',
    max: 1440,
    unit: 'probes',
  },
} as const satisfies Record<string, NumberField>;

/** Switch fields of the playground, by their names in a shared URL. */
export const SWITCHES = {
  timed: { healthy: true, group: 'service', label: 'Latency was measured' },
  charges: { healthy: true, group: 'challenges', label: 'The endpoint requests payment' },
  chainRead: { healthy: true, group: 'market', label: 'Settlements were read from the chain' },
  advertises: { healthy: true, group: 'other', label: 'Payment terms are advertised' },
  templated: { healthy: false, group: 'other', label: 'The URL is a template' },
  listed: { healthy: true, group: 'other', label: 'Listed in a public directory' },
  described: { healthy: true, group: 'other', label: 'Has a description' },
  networkKnown: { healthy: true, group: 'other', label: 'The network is known' },
  falseUsdc: { healthy: false, group: 'other', label: 'The asset is named USDC but is not USDC' },
  legacy: { healthy: false, group: 'other', label: 'Uses x402 version 1' },
  nameless: { healthy: false, group: 'other', label: 'The challenge has no resource information' },
  contradicts: { healthy: false, group: 'other', label: 'Header and body have different payment terms' },
} as const satisfies Record<string, SwitchField>;

export type NumberId = keyof typeof NUMBERS;
export type SwitchId = keyof typeof SWITCHES;

// `Object.keys` has the type string[]. The keys of these literals are exactly the ids, so the casts are safe.
export const NUMBER_IDS = Object.keys(NUMBERS) as readonly NumberId[];
export const SWITCH_IDS = Object.keys(SWITCHES) as readonly SwitchId[];

/** State of the playground: a value for each number field and each switch. */
export type PlaygroundState = Readonly<Record<NumberId, number> & Record<SwitchId, boolean>>;

/** Playground state of a healthy endpoint. Presets and shared URLs contain only the differences from this state. */
export const HEALTHY_STATE: PlaygroundState = {
  ...getHealthyValues<NumberId, number>(NUMBERS),
  ...getHealthyValues<SwitchId, boolean>(SWITCHES),
};

function getHealthyValues<Id extends string, Value>(
  fields: Readonly<Record<Id, { readonly healthy: Value }>>,
): Record<Id, Value> {
  const entries = Object.entries<{ readonly healthy: Value }>(fields).map(([id, { healthy }]) => [
    id,
    healthy,
  ]);
  // The entries have the keys of `fields`, so the cast is safe.
  return Object.fromEntries(entries) as Record<Id, Value>;
}

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
