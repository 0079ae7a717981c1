import { valueAt, type Curve } from './curve.ts';
import { challengeCount } from './facts.ts';
import { clampShare } from './rounding.ts';
import { ageMs, DAY_MS } from './time.ts';
import type { ChangeKind, ScoreInputs } from './types.ts';

/** Every curve and constant the components are computed with. */
export const CURVES = {
  /** Share of scored probes that were up. */
  uptime: {
    scale: 'linear',
    points: [
      [0.5, 0],
      [0.9, 0.4],
      [0.95, 0.6],
      [0.99, 0.85],
      [0.999, 0.97],
      [1, 1],
    ],
  },
  /** Days since first seen. */
  age: {
    scale: 'linear',
    points: [
      [0, 0],
      [7, 0.4],
      [30, 0.7],
      [90, 0.9],
      [180, 1],
    ],
  },
  /** US dollars settled in 30 days. A volume below one dollar counts in proportion: half a dollar is 0.05. */
  volume: {
    scale: 'log',
    fromZero: true,
    points: [
      [1, 0.1],
      [10_000, 1],
    ],
  },
  /** Distinct payers in 30 days. */
  payers: {
    scale: 'log',
    fromZero: true,
    points: [
      [1, 0.1],
      [100, 1],
    ],
  },
  /** Median time to first byte, milliseconds. */
  latencyP50: {
    scale: 'log',
    points: [
      [200, 1],
      [5_000, 0],
    ],
  },
  /** 95th percentile of time to first byte, milliseconds. */
  latencyP95: {
    scale: 'log',
    points: [
      [500, 1],
      [10_000, 0],
    ],
  },
} as const satisfies Record<string, Curve>;

/** What a challenge of each verdict counts. */
export const COMPLIANCE_VALUES = { pass: 1, warnings: 0.9, errors: 0.5, unpayable: 0 } as const;

/** What a change takes away on its day; it fades in a straight line to nothing over the window. */
export const CHANGE_COSTS: Readonly<Record<ChangeKind, number>> = {
  price_change: 0.15,
  payto_change: 0.5,
  asset_network_change: 0.3,
};

/** Days over which changes fade. */
export const WINDOW_DAYS = 30;

/** Share of scored probes that were up; null without any. */
export function uptimeShare({ probes }: ScoreInputs): number | null {
  return probes.scored > 0 ? clampShare(probes.up / probes.scored) : null;
}

export function measureUptime(inputs: ScoreInputs): number | null {
  const share = uptimeShare(inputs);
  return share === null ? null : valueAt(CURVES.uptime, share);
}

export function measureCompliance(inputs: ScoreInputs): number | null {
  const count = challengeCount(inputs);
  if (count <= 0) return null;
  const { pass, warnings, errors } = inputs.envelopes;
  const sum =
    pass * COMPLIANCE_VALUES.pass + warnings * COMPLIANCE_VALUES.warnings + errors * COMPLIANCE_VALUES.errors;
  return clampShare(sum / count);
}

/** Unmeasured where no terms were ever seen: what does not advertise has nothing that could stay the same. */
export function measureStability({ now, changes, advertised, templated }: ScoreInputs): number | null {
  if (advertised === null && changes.length === 0) return null;
  const lost = changes.map(({ kind, at }) => {
    if (templated && kind !== 'asset_network_change') return 0;
    return CHANGE_COSTS[kind] * clampShare(1 - ageMs(now, at) / (WINDOW_DAYS * DAY_MS));
  });
  return clampShare(1 - lost.reduce((sum, cost) => sum + cost, 0));
}

export function measureActivity({ settlement }: ScoreInputs): number | null {
  if (settlement === null) return null;
  // One payer may be the seller; volume counts by the part the largest payer did not bring.
  const volume = valueAt(CURVES.volume, settlement.volumeUsd30d) * (1 - clampShare(settlement.topPayerShare));
  return clampShare(volume / 2 + valueAt(CURVES.payers, settlement.payers30d) / 2);
}

export function measureAge({ now, firstSeen }: ScoreInputs): number {
  return valueAt(CURVES.age, ageMs(now, firstSeen) / DAY_MS);
}

export function measureLatency({ latency }: ScoreInputs): number | null {
  if (latency === null || latency.n <= 0) return null;
  return (valueAt(CURVES.latencyP50, latency.p50) + valueAt(CURVES.latencyP95, latency.p95)) / 2;
}
