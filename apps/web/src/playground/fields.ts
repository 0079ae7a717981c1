/** A figure that a slider moves. */
export interface NumberField {
  readonly group: GroupId;
  readonly label: string;
  /** Stands behind the figure. */
  readonly unit: string;
  readonly min: number;
  readonly max: number;
  /** Figures are whole numbers of steps. */
  readonly step: number;
  /** `log`: the slider gives every order of magnitude the same room. */
  readonly scale: 'linear' | 'log';
}

/** A fact that is so or not. */
export interface SwitchField {
  readonly group: GroupId;
  readonly label: string;
}

/** What belongs together, in the order in which it is asked. */
export const GROUPS = [
  { id: 'service', title: 'Probes of 30 days', hint: 'Those that count in uptime, one every half hour.' },
  {
    id: 'challenges',
    title: 'Its payment challenges',
    hint: 'In parts of all challenges; their sum need not be a hundred.',
  },
  {
    id: 'changes',
    title: 'Changes of its terms in 30 days',
    hint: 'Earlier changes are spread evenly over the rest of the month.',
  },
  { id: 'market', title: 'Age and buyers', hint: null },
  { id: 'oddities', title: 'What else may be amiss', hint: null },
] as const satisfies readonly { id: string; title: string; hint: string | null }[];

export type GroupId = (typeof GROUPS)[number]['id'];

const count = { min: 0, step: 1, scale: 'linear', unit: '' } as const;
const part = { ...count, group: 'challenges', max: 100, unit: 'parts' } as const;
const changes = { ...count, group: 'changes', max: 10 } as const;
const daysAgo = { group: 'changes', min: 0, max: 30, step: 0.5, scale: 'linear', unit: 'days ago' } as const;
const hours = { group: 'service', min: 0, max: 720, step: 1, scale: 'log', unit: 'hours' } as const;
const latency = { group: 'service', min: 1, max: 10_000, step: 1, scale: 'log', unit: 'ms' } as const;

/** Every figure of the playground, by the name it has in a shared address. */
export const NUMBERS = {
  probes: { ...count, group: 'service', label: 'Scored probes', max: 1440, unit: 'probes' },
  uptime: {
    group: 'service',
    label: 'Of these up',
    unit: '%',
    min: 0,
    max: 100,
    step: 0.1,
    scale: 'linear',
  },
  down: { ...hours, label: 'Down since' },
  p50: { ...latency, label: 'Median latency' },
  p95: { ...latency, label: '95th percentile of latency' },
  pass: { ...part, label: 'Pass every check' },
  warnings: { ...part, label: 'With warnings only' },
  errors: { ...part, label: 'With errors, still payable' },
  unpayable: { ...part, label: 'Cannot be paid' },
  unpayableFor: { ...hours, group: 'challenges', label: 'No longer payable since' },
  priceChanges: { ...changes, label: 'Changes of price' },
  priceDays: { ...daysAgo, label: 'Latest change of price' },
  payToChanges: { ...changes, label: 'Changes of payTo' },
  payToDays: { ...daysAgo, label: 'Latest change of payTo' },
  assetChanges: { ...changes, label: 'Changes of asset or network' },
  assetDays: { ...daysAgo, label: 'Latest change of asset or network' },
  age: {
    group: 'market',
    label: 'First seen',
    unit: 'days ago',
    min: 0,
    max: 365,
    step: 0.5,
    scale: 'linear',
  },
  volume: {
    group: 'market',
    label: 'Settled volume, 30 days',
    unit: 'US dollars',
    min: 0,
    max: 100_000,
    step: 0.01,
    scale: 'log',
  },
  payers: { ...count, group: 'market', label: 'Distinct payers', max: 1000, scale: 'log', unit: 'payers' },
  topShare: { ...count, group: 'market', label: 'Largest payer’s share', max: 100, unit: '% of the volume' },
  priceFactor: {
    group: 'oddities',
    label: 'Price against its median',
    unit: 'times',
    min: 0.1,
    max: 20,
    step: 0.1,
    scale: 'linear',
  },
  sharedWith: { ...count, group: 'oddities', label: 'Other hosts’ endpoints with its payTo', max: 20 },
  blocked: { ...count, group: 'oddities', label: 'Probes turned away', max: 1440, unit: 'probes' },
  redirected: { ...count, group: 'oddities', label: 'Probes redirected', max: 1440, unit: 'probes' },
} as const satisfies Record<string, NumberField>;

/** Every fact of the playground, by the name it has in a shared address. */
export const SWITCHES = {
  timed: { group: 'service', label: 'Latency was measured' },
  charges: { group: 'challenges', label: 'It asks to be paid' },
  chainRead: { group: 'market', label: 'Settlements were read from the chain' },
  advertises: { group: 'oddities', label: 'Terms are advertised' },
  templated: { group: 'oddities', label: 'Its address is a template' },
  listed: { group: 'oddities', label: 'It is listed in a directory' },
  described: { group: 'oddities', label: 'Something describes it' },
  networkKnown: { group: 'oddities', label: 'Its network is known' },
  falseUsdc: { group: 'oddities', label: 'Its asset only calls itself USDC' },
  legacy: { group: 'oddities', label: 'It speaks version 1 of the protocol' },
  nameless: { group: 'oddities', label: 'Its challenge names no resource' },
  contradicts: { group: 'oddities', label: 'Header and body name different terms' },
} as const satisfies Record<string, SwitchField>;

export type NumberId = keyof typeof NUMBERS;
export type SwitchId = keyof typeof SWITCHES;

// The keys of a literal object are the names it was written with.
export const NUMBER_IDS = Object.keys(NUMBERS) as readonly NumberId[];
export const SWITCH_IDS = Object.keys(SWITCHES) as readonly SwitchId[];
