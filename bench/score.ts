import { FLAG_CATALOGUE, gradeOf, score, type ScoreInputs, type Verdict } from '@touchstone/trust';
import { printTable, round } from './support/figures.ts';
import { randomInputs, seededRandom } from './support/random-life.ts';
import { LAWS } from './support/score-laws.ts';

/**
 * How many endpoints a second one core scores, and whether a property of the score is ever broken. Run it with
 * `npm run bench:score`; `npm run bench:score -- 100000` scores fewer histories, and a second number is another seed.
 *
 * The peers are `JSON.stringify` and `structuredClone` of the same inputs in the same run: writing the inputs down once
 * is the least that anything done with them costs. Histories are made, and properties checked, off the clock.
 */
const HISTORIES = 1_000_000;
const CHUNK = 10_000;
/** One in so many is scored twice. */
const TWICE = 20;
/** One in so many is held to the laws that take a dozen scores each: 20,000 of the million. */
const LAWFUL = 50;
const NOW = Date.UTC(2026, 5, 1);

const notForTemplates = new Set(
  FLAG_CATALOGUE.filter((flag) => flag.notForTemplates === true).map(({ slug }) => slug),
);
const known = new Set(FLAG_CATALOGUE.map(({ slug }) => slug));

const isGraded = ({ recommendation, components }: Verdict): boolean =>
  recommendation !== 'free' &&
  recommendation !== 'unverified' &&
  components.some(({ value }) => value !== null);

const isScore = (value: number): boolean => value >= 0 && value <= 100;

/** The properties that cost little to check, each with whether it holds. */
const PROPERTIES: Readonly<Record<string, (verdict: Verdict, inputs: ScoreInputs) => boolean>> = {
  'score of 0 to 100': (verdict) => isScore(verdict.score),
  'low ≤ point ≤ high': ({ scoreRange: { low, point, high } }) =>
    isScore(low) && low <= point && point <= high && isScore(high),
  'under every cap': (verdict) => verdict.caps.every(({ limit }) => verdict.score <= limit),
  'grade of the score': (verdict) => verdict.grade === (isGraded(verdict) ? gradeOf(verdict.score) : '?'),
  'confidence of 0 to 1': ({ confidence }) => confidence >= 0 && confidence <= 1,
  'projection of 0 to 100': ({ projection }) => projection === null || isScore(projection.score),
  'flags of the catalogue': ({ flags }) => flags.every(({ slug }) => known.has(slug)),
  'no price or payTo held against a template': ({ flags, caps }, { templated }) =>
    !templated ||
    (flags.every(({ slug }) => !notForTemplates.has(slug)) &&
      caps.every(({ rule }) => rule !== 'payto-changed-recently')),
  'points add up to the score before caps': ({ components, caps, score: points }) =>
    caps.length > 0 || Math.abs(components.reduce((sum, each) => sum + each.points, 0) - points) < 0.09,
};

/** Milliseconds of processor time that work on each of the inputs takes. */
function timed(inputs: readonly ScoreInputs[], work: (each: ScoreInputs) => unknown): number {
  const before = process.cpuUsage();
  for (const each of inputs) work(each);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

const spent = { score: 0, stringify: 0, clone: 0 };
const seen = new Map<string, number>();
const broken = new Map<string, number>();

function note(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1);
}

function check(verdict: Verdict, inputs: ScoreInputs): void {
  for (const [name, holds] of Object.entries(PROPERTIES)) {
    if (!holds(verdict, inputs)) note(broken, name);
  }
  note(seen, verdict.recommendation);
}

function hold(inputs: ScoreInputs, verdict: Verdict): void {
  for (const [name, holds] of Object.entries(LAWS)) {
    if (!holds(inputs, verdict)) note(broken, name);
  }
}

function runChunk(inputs: readonly ScoreInputs[]): void {
  const verdicts: Verdict[] = [];
  spent.score += timed(inputs, (each) => verdicts.push(score(each)));
  spent.stringify += timed(inputs, (each) => JSON.stringify(each));
  spent.clone += timed(inputs, (each) => structuredClone(each));
  for (const [index, each] of inputs.entries()) {
    const verdict = verdicts[index];
    if (verdict === undefined) throw new Error('every history is scored');
    check(verdict, each);
    const again = (): string => JSON.stringify(score(structuredClone(each)));
    if (index % TWICE === 0 && again() !== JSON.stringify(verdict)) note(broken, 'same again');
    if (index % LAWFUL === 0) hold(each, verdict);
  }
}

function report(count: number): void {
  const row = (name: string, ms: number): string[] => [
    name,
    round((count / ms) * 1_000),
    round((ms * 1_000) / count, 2),
    round(spent.score / ms, 2),
  ];
  printTable([
    ['of one core', 'a second', 'µs each', 'score takes'],
    row('score', spent.score),
    row('JSON.stringify of the inputs', spent.stringify),
    row('structuredClone of the inputs', spent.clone),
  ]);
  const shares = [...seen].sort(([, one], [, other]) => other - one);
  console.log(`Verdicts: ${shares.map(([name, times]) => `${name} ${round(times)}`).join(', ')}`);
  const names = `${String(Object.keys(PROPERTIES).length)} properties of each, ${round(count / TWICE)} scored twice, ${String(Object.keys(LAWS).length)} laws of ${round(count / LAWFUL)}`;
  for (const [name, times] of broken) console.log(`BROKEN ${round(times)} times: ${name}`);
  console.log(broken.size === 0 ? `${names}: none broken` : `${names}: ${String(broken.size)} broken`);
}

const count = Number(process.argv[2] ?? HISTORIES);
const random = seededRandom(Number(process.argv[3] ?? 1));
const make = (length: number): ScoreInputs[] => Array.from({ length }, () => randomInputs(random, NOW));
// What is compiled on the way to full speed is no part of the figure.
for (const inputs of make(CHUNK)) score(inputs);
for (let done = 0; done < count; done += CHUNK) runChunk(make(Math.min(CHUNK, count - done)));
report(count);
if (broken.size > 0) process.exitCode = 1;
