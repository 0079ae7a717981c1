import { FLAG_CATALOGUE, toGrade, score, type ScoreInputs, type Verdict } from '@touchstone/trust';
import { printTable, formatNumber } from './support/figures.ts';
import { generateInputs, createSeededRandom } from './support/random-inputs.ts';
import { MULTI_SCORE_PROPERTIES } from './support/score-properties.ts';

/**
 * Measures how many endpoints one core scores per second, and checks properties of each score. Run it with `npm run
 * bench:score`. The optional first argument is the number of probe histories, as in `npm run bench:score -- 100000`.
 * The optional second argument is the random seed.
 *
 * The comparison is `JSON.stringify` and `structuredClone` of the same inputs in the same run. The time to generate
 * histories and to check properties is not included.
 */
const HISTORY_COUNT = 1_000_000;
const HISTORIES_PER_CHUNK = 10_000;
/** Interval of histories that are scored a second time: one in 20. */
const RESCORE_EVERY = 20;
/**
 * Interval of histories that are checked for the expensive properties, which need about a dozen scores each: one in 50,
 * so 20,000 of one million.
 */
const MULTI_SCORE_EVERY = 50;
const NOW_MS = Date.UTC(2026, 5, 1);

const templateExemptSlugs = new Set(
  FLAG_CATALOGUE.filter((flag) => flag.notForTemplates === true).map(({ slug }) => slug),
);
const knownSlugs = new Set(FLAG_CATALOGUE.map(({ slug }) => slug));

const isGraded = ({ recommendation, components }: Verdict): boolean =>
  recommendation !== 'free' &&
  recommendation !== 'unverified' &&
  components.some(
    ({ component, value }) => value !== null && component !== 'activity' && component !== 'age',
  );

const isScore = (value: number): boolean => value >= 0 && value <= 100;

/** Properties that a single score must have. Each function returns `true` if the property holds. */
const SINGLE_SCORE_PROPERTIES: Readonly<Record<string, (verdict: Verdict, inputs: ScoreInputs) => boolean>> =
  {
    'the score is 0 to 100': (verdict) => isScore(verdict.score),
    'low ≤ point ≤ high': ({ scoreRange: { low, point, high } }) =>
      isScore(low) && low <= point && point <= high && isScore(high),
    'the score exceeds no cap': (verdict) => verdict.caps.every(({ limit }) => verdict.score <= limit),
    'the grade matches the score': (verdict) =>
      verdict.grade === (isGraded(verdict) ? toGrade(verdict.score) : '?'),
    'the confidence is 0 to 1': ({ confidence }) => confidence >= 0 && confidence <= 1,
    'the projected score is 0 to 100': ({ projection }) => projection === null || isScore(projection.score),
    'all flags are in the catalogue': ({ flags }) => flags.every(({ slug }) => knownSlugs.has(slug)),
    'a template has no price or payTo penalty': ({ flags, caps }, { templated }) =>
      !templated ||
      (flags.every(({ slug }) => !templateExemptSlugs.has(slug)) &&
        caps.every(({ rule }) => rule !== 'payto-changed-recently')),
    'the points add up to the uncapped score': ({ components, caps, score: points }) =>
      caps.length > 0 || Math.abs(components.reduce((sum, each) => sum + each.points, 0) - points) < 0.09,
  };

/** Returns the CPU time, in milliseconds, of running `work` once per input. */
function measureCpuMs(inputs: readonly ScoreInputs[], work: (each: ScoreInputs) => unknown): number {
  const before = process.cpuUsage();
  for (const each of inputs) work(each);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

const cpuMs = { score: 0, stringify: 0, clone: 0 };
const recommendationCounts = new Map<string, number>();
const violationCounts = new Map<string, number>();

function increment(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1);
}

function checkSingleScoreProperties(verdict: Verdict, inputs: ScoreInputs): void {
  for (const [name, holds] of Object.entries(SINGLE_SCORE_PROPERTIES)) {
    if (!holds(verdict, inputs)) increment(violationCounts, name);
  }
  increment(recommendationCounts, verdict.recommendation);
}

function checkMultiScoreProperties(inputs: ScoreInputs, verdict: Verdict): void {
  for (const [name, holds] of Object.entries(MULTI_SCORE_PROPERTIES)) {
    if (!holds(inputs, verdict)) increment(violationCounts, name);
  }
}

function runChunk(inputs: readonly ScoreInputs[]): void {
  const verdicts: Verdict[] = [];
  cpuMs.score += measureCpuMs(inputs, (each) => verdicts.push(score(each)));
  cpuMs.stringify += measureCpuMs(inputs, (each) => JSON.stringify(each));
  cpuMs.clone += measureCpuMs(inputs, (each) => structuredClone(each));
  for (const [index, each] of inputs.entries()) {
    const verdict = verdicts[index];
    if (verdict === undefined) throw new Error('a history has no score');
    checkSingleScoreProperties(verdict, each);
    const again = (): string => JSON.stringify(score(structuredClone(each)));
    if (index % RESCORE_EVERY === 0 && again() !== JSON.stringify(verdict))
      increment(violationCounts, 'the same inputs give the same verdict');
    if (index % MULTI_SCORE_EVERY === 0) checkMultiScoreProperties(each, verdict);
  }
}

function printResults(count: number): void {
  const row = (name: string, ms: number): string[] => [
    name,
    formatNumber((count / ms) * 1_000),
    formatNumber((ms * 1_000) / count, 2),
    formatNumber(cpuMs.score / ms, 2),
  ];
  printTable([
    ['on one core', 'per second', 'µs each', 'score time ratio'],
    row('score', cpuMs.score),
    row('JSON.stringify of the inputs', cpuMs.stringify),
    row('structuredClone of the inputs', cpuMs.clone),
  ]);
  const shares = [...recommendationCounts].sort(([, one], [, other]) => other - one);
  console.log(`Verdicts: ${shares.map(([name, times]) => `${name} ${formatNumber(times)}`).join(', ')}`);
  const names = `${String(Object.keys(SINGLE_SCORE_PROPERTIES).length)} properties of each score, ${formatNumber(count / RESCORE_EVERY)} scored twice, ${String(Object.keys(MULTI_SCORE_PROPERTIES).length)} more properties of ${formatNumber(count / MULTI_SCORE_EVERY)}`;
  for (const [name, times] of violationCounts) console.log(`VIOLATED ${formatNumber(times)} times: ${name}`);
  console.log(
    violationCounts.size === 0
      ? `${names}: none violated`
      : `${names}: ${String(violationCounts.size)} violated`,
  );
}

const count = Number(process.argv[2] ?? HISTORY_COUNT);
const random = createSeededRandom(Number(process.argv[3] ?? 1));
const generateHistories = (length: number): ScoreInputs[] =>
  Array.from({ length }, () => generateInputs(random, NOW_MS));
// Warm-up: the JIT compiler compiles the scoring code before the measurement.
for (const inputs of generateHistories(HISTORIES_PER_CHUNK)) score(inputs);
for (let done = 0; done < count; done += HISTORIES_PER_CHUNK)
  runChunk(generateHistories(Math.min(HISTORIES_PER_CHUNK, count - done)));
printResults(count);
if (violationCounts.size > 0) process.exitCode = 1;
