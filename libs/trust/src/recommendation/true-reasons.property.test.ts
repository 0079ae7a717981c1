import { expect, test } from 'vitest';
import { score } from '../score.ts';
import { generateHistory } from '../testing/generated-history.ts';
import type { Facts } from '../testing/sentence-checks.ts';
import { findFalseSentences } from '../testing/sentence-table.ts';
import type { Verdict } from '../types.ts';

const HISTORIES = 2_000;

/** Returns the texts of a verdict that name figures and causes of the endpoint. */
function listTexts({ reasons, flags, components, caps }: Verdict): string[] {
  const ownReasons = flags.filter(({ reason, message }) => reason !== message).map(({ reason }) => reason);
  const explanations = [...components, ...caps].map(({ explanation }) => explanation);
  return [...reasons, ...ownReasons, ...explanations];
}

/** Minimum number of words of a clause that is compared word by word. */
const MIN_WORDS = 6;
/** Sentences of one form about different figures. */
const COUNT = /^(?:Only )?\d|changed \d+ times/;
const TIME = /\d{4}-\d\d-\d\d \d\d:\d\d UTC/g;
/** Minimum share of words that two clauses have in common if both say the same. */
const MIN_COMMON_SHARE = 0.7;

/** Returns true if most words of the shorter clause are in the other clause. Times and counts are left out. */
function isSameStatement(one: string, other: string): boolean {
  if (COUNT.test(one) || COUNT.test(other)) return false;
  const [shorter, longer] = [one, other]
    .map((clause) => [
      ...new Set(
        clause
          .replace(TIME, '')
          .toLowerCase()
          .match(/[a-z\d]+/g) ?? [],
      ),
    ])
    .sort((a, b) => a.length - b.length);
  const words = new Set(longer);
  const common = (shorter ?? []).filter((word) => words.has(word)).length;
  return (shorter ?? []).length >= MIN_WORDS && common >= (shorter ?? []).length * MIN_COMMON_SHARE;
}

/** Returns the clauses that repeat a clause of another reason, and the counts that occur more than once. */
function findRepetitions({ reasons }: Verdict): string[] {
  const clauses = reasons.map((reason) =>
    reason.split(/; |\. |: |\.$| \(|\)/).filter((clause) => clause !== '' && !clause.endsWith('%')),
  );
  const repeated = clauses.flatMap((own, index) => {
    const earlier = clauses.slice(0, index).flat();
    return own.filter((clause) => earlier.some((one) => one === clause || isSameStatement(one, clause)));
  });
  const counts = reasons.flatMap((reason) => reason.match(/[\d,]+ of [\d,]+ (?=scored|challenges)/g) ?? []);
  return [...repeated, ...counts.filter((count, index, all) => all.indexOf(count) !== index)];
}

/** Returns the contradictions between the recommendation, its reasons and the flags. */
function findContradictions({ recommendation, reasons, flags, score: points }: Verdict): string[] {
  const errors = flags.filter(({ severity }) => severity === 'error');
  const preventing = flags.filter(({ preventsProceed }) => preventsProceed);
  const explained = new Set(preventing.flatMap(({ explains }) => explains));
  const isLow = points < 35;
  const found = {
    'proceed with an error or a warning against it':
      recommendation === 'proceed' && [...errors, ...preventing].length > 0,
    'avoid without a cause': recommendation === 'avoid' && errors.length === 0 && !isLow,
    'caution without the reason of a warning':
      recommendation === 'caution' &&
      !preventing.every(({ slug, reason }) => explained.has(slug) || reasons.includes(reason)),
    'no reason': reasons.length === 0,
  };
  return Object.entries(found).flatMap(([name, isFound]) => (isFound ? [name] : []));
}

test('a changed figure in any sentence is found', () => {
  const missed = new Set<string>();
  for (let seed = 0; seed < 150; seed += 1) {
    const generated = generateHistory(seed);
    const verdict = score(generated.inputs);
    for (const text of listTexts(verdict)) {
      for (const { 0: figure, index } of text.matchAll(/\d(?:[\d,.]*\d)?/g)) {
        const changed = `${text.slice(0, index)}7777${text.slice(index + figure.length)}`;
        if (findFalseSentences(changed, { ...generated, verdict }).length === 0) missed.add(changed);
      }
    }
  }
  expect([...missed]).toEqual([]);
});

test('the sentences of generated histories are true, and none repeats or contradicts another', () => {
  const problems: Record<string, unknown> = {};
  for (let seed = 0; seed < HISTORIES; seed += 1) {
    const generated = generateHistory(seed);
    const verdict = score(generated.inputs);
    const facts: Facts = { ...generated, verdict };
    const found = [
      ...listTexts(verdict).flatMap((text) => findFalseSentences(text, facts)),
      ...findRepetitions(verdict),
      ...findContradictions(verdict),
    ];
    if (found.length > 0) problems[seed] = found;
  }
  expect(problems).toEqual({});
});
