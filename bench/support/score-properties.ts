import {
  assembleReport,
  toPublishableInputs,
  recompute,
  score,
  type ScoreInputs,
  type Verdict,
} from '@touchstone/trust';

/**
 * Properties that can be checked only by comparing several scores. Each function returns `true` if the property holds.
 */
export const MULTI_SCORE_PROPERTIES: Readonly<
  Record<string, (inputs: ScoreInputs, verdict: Verdict) => boolean>
> = {
  'one more successful probe never lowers the score': (inputs, verdict) => {
    const { scored, up } = inputs.probes;
    if (up >= scored) return true;
    return score({ ...inputs, probes: { ...inputs.probes, up: up + 1 } }).score >= verdict.score;
  },
  'a lower latency never lowers the score': (inputs, verdict) => {
    if (inputs.latency === null) return true;
    const { p50, p95, n } = inputs.latency;
    return score({ ...inputs, latency: { p50: p50 / 2, p95: p95 / 2, n } }).score >= verdict.score;
  },
  'a more compliant challenge never lowers the score': (inputs, verdict) =>
    WORST_FIRST.slice(0, -1).every((from, rank) => {
      const to = WORST_FIRST[rank + 1] ?? 'pass';
      const { envelopes } = inputs;
      if (envelopes[from] === 0) return true;
      const better = { ...envelopes, [from]: envelopes[from] - 1, [to]: envelopes[to] + 1 };
      return score({ ...inputs, envelopes: better }).score >= verdict.score;
    }),
  'a component without measurement changes no other component': (inputs, verdict) =>
    REMOVE_MEASUREMENT.every(([component, removeMeasurement]) =>
      keepsOtherComponents(verdict, score(removeMeasurement(inputs)), component),
    ),
  'a recomputed report agrees': (inputs) => recompute(createReport(inputs)).outcome === 'agrees',
};

const WORST_FIRST = ['unpayable', 'errors', 'warnings', 'pass'] as const;

/** Functions that remove the measurement of one score component from the inputs and change nothing else. */
const REMOVE_MEASUREMENT: readonly (readonly [
  component: string,
  removeMeasurement: (inputs: ScoreInputs) => ScoreInputs,
])[] = [
  ['uptime', (inputs) => ({ ...inputs, probes: { ...inputs.probes, scored: 0, up: 0 } })],
  ['compliance', (inputs) => ({ ...inputs, envelopes: { pass: 0, warnings: 0, errors: 0, unpayable: 0 } })],
  ['stability', (inputs) => ({ ...inputs, everChallenged: false, changes: [] })],
  ['activity', (inputs) => ({ ...inputs, settlement: null })],
  ['latency', (inputs) => ({ ...inputs, latency: null })],
];

/**
 * Returns `true` if the values and weights of all other score components are unchanged. Also returns `true` if no
 * component is measured: the component age becomes unmeasured together with the last other component.
 */
function keepsOtherComponents(before: Verdict, after: Verdict, component: string): boolean {
  if (after.components.every(({ value }) => value === null)) return true;
  return before.components.every(({ component: name, value, weight }, index) => {
    const other = after.components[index];
    if (other?.component !== name || other.weight !== weight) return false;
    return name === component ? other.value === null && other.points === 0 : other.value === value;
  });
}

function createReport(inputs: ScoreInputs): unknown {
  const scored = toPublishableInputs(inputs);
  const report = assembleReport({
    baseUrl: 'https://touchstone.example',
    generatedAt: scored.now,
    endpoint: {
      id: 'bench',
      resource: 'https://api.example.com/',
      page: '/endpoint/bench',
      serviceName: null,
      source: 'directory',
    },
    freshness: { live: false, notLiveReason: 'stored', probedAt: scored.lastScoredAt, liveProbeMs: null },
    inputs: scored,
    verdict: score(scored),
    ...{ terms: null, settlement: null, compliance: null, latency: null, related: null },
    lastProbedAt: scored.lastScoredAt,
    causes30d: {},
  });
  // The report is converted to JSON and parsed again, because its readers receive it as JSON.
  return JSON.parse(JSON.stringify(report));
}
