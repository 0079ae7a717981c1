import {
  assembleReport,
  publishable,
  recompute,
  score,
  type ScoreInputs,
  type Verdict,
} from '@touchstone/trust';

/** Laws of the score that take several scores to check, each with whether it holds for the inputs. */
export const LAWS: Readonly<Record<string, (inputs: ScoreInputs, verdict: Verdict) => boolean>> = {
  'one more probe up never lowers it': (inputs, verdict) => {
    const { scored, up } = inputs.probes;
    if (up >= scored) return true;
    return score({ ...inputs, probes: { ...inputs.probes, up: up + 1 } }).score >= verdict.score;
  },
  'a lower latency never lowers it': (inputs, verdict) => {
    if (inputs.latency === null) return true;
    const { p50, p95, n } = inputs.latency;
    return score({ ...inputs, latency: { p50: p50 / 2, p95: p95 / 2, n } }).score >= verdict.score;
  },
  'a better challenge never lowers it': (inputs, verdict) =>
    WORST_FIRST.slice(0, -1).every((from, rank) => {
      const to = WORST_FIRST[rank + 1] ?? 'pass';
      const { envelopes } = inputs;
      if (envelopes[from] === 0) return true;
      const better = { ...envelopes, [from]: envelopes[from] - 1, [to]: envelopes[to] + 1 };
      return score({ ...inputs, envelopes: better }).score >= verdict.score;
    }),
  'what becomes unmeasured moves its own weight alone': (inputs, verdict) =>
    FORGET.every(([component, forget]) => othersStay(verdict, score(forget(inputs)), component)),
  'a report agrees when computed again': (inputs) => recompute(reportOn(inputs)).outcome === 'agrees',
};

const WORST_FIRST = ['unpayable', 'errors', 'warnings', 'pass'] as const;

/** How each component loses its measurement, with nothing else said. */
const FORGET: readonly (readonly [component: string, forget: (inputs: ScoreInputs) => ScoreInputs])[] = [
  ['uptime', (inputs) => ({ ...inputs, probes: { ...inputs.probes, scored: 0, up: 0 } })],
  ['compliance', (inputs) => ({ ...inputs, envelopes: { pass: 0, warnings: 0, errors: 0, unpayable: 0 } })],
  ['stability', (inputs) => ({ ...inputs, everChallenged: false, changes: [] })],
  ['activity', (inputs) => ({ ...inputs, settlement: null })],
  ['latency', (inputs) => ({ ...inputs, latency: null })],
];

/** Values and weights of the other components stay; age alone goes with the last of them. */
function othersStay(before: Verdict, after: Verdict, component: string): boolean {
  if (after.components.every(({ value }) => value === null)) return true;
  return before.components.every(({ component: name, value, weight }, index) => {
    const then = after.components[index];
    if (then?.component !== name || then.weight !== weight) return false;
    return name === component ? then.value === null && then.points === 0 : then.value === value;
  });
}

function reportOn(inputs: ScoreInputs): unknown {
  const scored = publishable(inputs);
  const report = assembleReport({
    baseUrl: 'https://touchstone.example',
    generatedAt: scored.now,
    endpoint: {
      id: 'bench',
      resource: 'https://api.example.com/',
      page: '/endpoint/bench',
      serviceName: null,
      delistedAt: null,
    },
    freshness: { live: false, notLiveReason: 'stored', probedAt: scored.lastProbedAt, liveProbeMs: null },
    inputs: scored,
    verdict: score(scored),
    ...{ terms: null, settlement: null, compliance: null, latency: null },
  });
  // What a reader gets is what was sent.
  return JSON.parse(JSON.stringify(report));
}
