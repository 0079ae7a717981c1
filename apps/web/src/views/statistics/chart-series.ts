import { GRADES, RECOMMENDATIONS, type Grade, type Recommendation } from '@touchstone/contract';
import type { EcosystemDay } from '@touchstone/store';
import { formatGrade, getRecommendationText, type StackedSeries } from '@touchstone/ui';
import { findFrequentNetworks, formatNetworkName, NO_NETWORK, OTHER_NETWORKS } from './frequent-networks.ts';

const GRADE_FILLS: Readonly<Record<Grade, string>> = {
  A: 'fill-gold',
  B: 'fill-silver',
  C: 'fill-copper',
  D: 'fill-iron',
  F: 'fill-rust',
  '?': 'fill-stone-soft',
};

const RECOMMENDATION_FILLS: Readonly<Record<Recommendation, string>> = {
  proceed: 'fill-stone-good',
  caution: 'fill-stone-warn',
  parameterize: 'fill-silver',
  avoid: 'fill-rust',
  unverified: 'fill-iron',
  free: 'fill-stone-soft',
};

const NETWORK_FILLS = ['fill-gold', 'fill-silver', 'fill-copper', 'fill-iron'] as const;

/** Series of the grades, best first. */
export const GRADE_SERIES: readonly StackedSeries[] = GRADES.map((grade) => ({
  id: grade,
  label: formatGrade(grade),
  className: GRADE_FILLS[grade],
  letter: grade,
}));

/** Series of the recommendations. */
export const RECOMMENDATION_SERIES: readonly StackedSeries[] = RECOMMENDATIONS.map((recommendation) => ({
  id: recommendation,
  label: getRecommendationText(recommendation).label,
  className: RECOMMENDATION_FILLS[recommendation],
}));

/** Creates the series of the most frequent networks of a day, of the other networks, and of endpoints without one. */
export function createNetworkSeries(networks: EcosystemDay['networks']): readonly StackedSeries[] {
  const named = findFrequentNetworks(networks, NETWORK_FILLS.length).map(({ id }, index) => ({
    id,
    label: formatNetworkName(id),
    className: NETWORK_FILLS[index] ?? 'fill-iron',
  }));
  return [
    ...named,
    { id: OTHER_NETWORKS, label: 'Other networks', className: 'fill-rust' },
    { id: NO_NETWORK, label: 'No network known', className: 'fill-stone-soft' },
  ];
}

/** Adds the counts of networks without a series of their own to the other networks. */
export function groupNetworks(
  networks: EcosystemDay['networks'],
  series: readonly StackedSeries[],
): Readonly<Record<string, number>> {
  const ids = new Set(series.map(({ id }) => id));
  const grouped: Record<string, number> = {};
  for (const [network, count] of Object.entries(networks)) {
    const id = ids.has(network) ? network : OTHER_NETWORKS;
    grouped[id] = (grouped[id] ?? 0) + count;
  }
  return grouped;
}
