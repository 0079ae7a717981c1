import type { Bulk } from '@touchstone/contract';
import { type ShortForm, toLine } from './short-form.ts';

/** Values of a line of bulk scores, without the last one. */
const COLUMNS = 'score,grade,recommendation,confidence,error_flags,delivery';

/**
 * Shortens bulk scores to one line for each endpoint. The first form has the error flags and the URLs. The other forms
 * have a letter for each flag, and the last form has the number of each URL. 500 lines of the last form always fit.
 */
export function shortenBulk({ results, ...body }: Bulk): readonly ShortForm[] {
  const slugs = [...new Set(results.flatMap(({ error_flags: flags }) => flags ?? []))].sort();
  const letters = new Map(slugs.map((slug, at) => [slug, String.fromCodePoint(A + at)]));
  const flagLetters = Object.fromEntries([...letters].map(([slug, letter]) => [letter, slug]));
  const toSlugs = (flags: readonly string[]): string => flags.toSorted().join(' ');
  const toLetters = (flags: readonly string[]): string =>
    flags
      .map((slug) => letters.get(slug))
      .toSorted()
      .join('');
  const toUrl = ({ resource }: Result): string => resource;
  const toNumber = (_: Result, at: number): string => String(at + 1);
  const format = (toFlags: typeof toSlugs, toKey: typeof toNumber, stateLength = Infinity): string[] =>
    results.map((result, at) => {
      const state = (result.delivery ?? '').slice(0, stateLength);
      return `${formatScore(result, toFlags)},${state},${toKey(result, at)}`;
    });
  const byUrl = `${COLUMNS},resource`;
  return [
    {
      body: { ...body, columns: byUrl, resultLines: format(toSlugs, toUrl) },
      notes: [LINES, 'The error flags are separated by spaces.', SUMMARY],
    },
    {
      body: { ...body, flagLetters, columns: byUrl, resultLines: format(toLetters, toUrl) },
      notes: [LINES, LETTERS, SUMMARY],
    },
    {
      body: { ...body, flagLetters, columns: `${COLUMNS},n`, resultLines: format(toLetters, toNumber, 1) },
      notes: [
        LINES,
        LETTERS,
        DELIVERY_LETTERS,
        'n is the number of the URL in your `resources`, from 1.',
        SUMMARY,
      ],
    },
  ];
}

type Result = Bulk['results'][number];

const A = 97;

const LINES = 'Each of `resultLines` is one line of CSV for each of your `resources`, in their order.';
const LETTERS = '`flagLetters` has the error flag of each letter.';
const DELIVERY_LETTERS = 'delivery is d (delivered), m (mixed) or f (failed).';
const SUMMARY = 'x402_summary returns the page and the times of one endpoint, free of charge.';

/** Creates the line of a result, without its last value. Only the last value can contain a comma. */
function formatScore(
  { found, score, grade, recommendation, confidence, error_flags: flags, schemeVariant }: Result,
  toFlags: (flags: readonly string[]) => string,
): string {
  if (found) return toLine([score, grade, recommendation, confidence, toFlags(flags ?? [])]);
  const scheme = schemeVariant?.split(':')[0];
  return toLine(['', '', scheme === undefined ? 'not in the catalog' : `known as ${scheme}`, '', '']);
}
