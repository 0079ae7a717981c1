import {
  formatDay,
  formatGradedScore,
  formatMs,
  formatPercent,
  formatScore,
  formatUsd,
} from '@touchstone/common';
import type { ListedEndpoint } from './listed-endpoint.ts';

/** Names of the values by which lists are sorted. */
export const VALUE_NAMES = {
  score: 'Score',
  price: 'Price',
  uptime: 'Uptime',
  latency: 'Latency',
  newest: 'First seen',
  changed: 'Changed',
} as const;

interface Value {
  readonly value: string | null;
  /** Text below the value in a wide container. */
  readonly note: string;
}

const formatScoreValue = (endpoint: ListedEndpoint): Value => ({
  value: formatGradedScore(endpoint),
  note: endpoint.grade === '?' ? '' : `${formatScore(endpoint.scoreLow)} or more`,
});

/** Values by which lists are sorted. */
export const VALUES = {
  score: formatScoreValue,
  price: (endpoint: ListedEndpoint): Value => ({
    value: endpoint.amountUsd === null ? null : formatUsd(endpoint.amountUsd),
    note: 'per call',
  }),
  uptime: ({ uptime30d }: ListedEndpoint): Value => ({
    value: uptime30d === null ? null : formatPercent(uptime30d / 100),
    note: '',
  }),
  latency: ({ latencyMs }: ListedEndpoint): Value => ({
    value: latencyMs === null ? null : formatMs(latencyMs),
    note: 'on average',
  }),
  newest: ({ firstSeen }: ListedEndpoint): Value => ({
    value: formatDay(firstSeen),
    note: 'UTC',
  }),
  changed: ({ contentChangedAt }: ListedEndpoint): Value => ({
    value: formatDay(contentChangedAt),
    note: 'UTC',
  }),
} as const satisfies Readonly<Record<ListValue, (endpoint: ListedEndpoint) => Value>>;

/** Key of a value by which a list is sorted. */
export type ListValue = keyof typeof VALUE_NAMES;
