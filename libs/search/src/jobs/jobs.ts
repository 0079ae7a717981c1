import { JOB_TABLE } from './job-table.ts';

/** Job that an endpoint does for its buyers, such as translation. */
interface Job {
  /** Id of the job; null for offers that no other endpoint replaces. */
  readonly id: string | null;
  /** At least two descriptions of the job. The first one is the title. */
  readonly phrases: readonly string[];
  /** Lower-case words that name the job in short texts. */
  readonly words: readonly string[];
}

export const JOBS: readonly Job[] = JOB_TABLE.trim().split('\n').map(parseJob);

function parseJob(line: string): Job {
  const [definition = '', words = ''] = line.split(' # ');
  const [id = '', phrases = ''] = definition.split(' = ');
  return {
    id: id === 'none' ? null : id,
    phrases: phrases.split(' | '),
    words: words === '' ? [] : words.split(', '),
  };
}

/** Minimum match of a text with its job. A text with a lower match has no job. */
const MIN_MATCH = 0.55;
/** Weight of the second most similar phrase, which compensates for a phrase that is similar to a text by accident. */
const SECOND_WEIGHT = 0.2;
/** Increase of the match with a job that the text names with one of its words. */
const WORD_BONUS = 0.05;

/**
 * Returns the id of the job that best matches a text; null if the match is too low or no other endpoint replaces the
 * offer.
 *
 * @param similarities similarity of the text to each phrase of {@link JOBS}, in their order
 */
export function selectJob(text: string, similarities: readonly number[]): string | null {
  let start = 0;
  let best: { readonly id: string | null; readonly match: number } = { id: null, match: MIN_MATCH };
  const words = toWords(text);
  for (const { id, phrases, words: names } of JOBS) {
    const own = similarities.slice(start, start + phrases.length).sort((one, other) => other - one);
    start += phrases.length;
    const [first = 0, second = 0] = own;
    const bonus = names.some((name) => words.includes(` ${name} `)) ? WORD_BONUS : 0;
    const match = (1 - SECOND_WEIGHT) * first + SECOND_WEIGHT * second + bonus;
    if (match > best.match) best = { id, match };
  }
  return best.id;
}

/** Returns the lower-case words of a text, with a space before, between and after them. */
function toWords(text: string): string {
  return ` ${(text.toLowerCase().match(/[a-z0-9-]+/g) ?? []).join(' ')} `;
}

/** Maximum number of words of a query that is expanded. Longer queries describe the job in full. */
const MAX_EXPANDED_WORDS = 7;

/**
 * Returns the first two phrases of the job that a short query names with one of its words, such as "TTS"; null if the
 * query names no job. Of several words, the longest decides.
 */
export function expandQuery(query: string): string | null {
  const words = toWords(query);
  if (words.trim().split(' ').length > MAX_EXPANDED_WORDS) return null;
  const named = JOBS.flatMap((job) => job.words.map((word) => ({ ...job, word })))
    .filter(({ word }) => words.includes(` ${word} `))
    .sort((one, other) => other.word.length - one.word.length);
  return named[0]?.phrases.slice(0, 2).join(', ') ?? null;
}
