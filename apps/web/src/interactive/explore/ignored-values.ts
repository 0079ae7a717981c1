import { MAX_TAG_LENGTH } from '@touchstone/x402/tags';
import { GRADES, RECOMMENDATIONS } from '@touchstone/contract';
import { SORT_LABELS } from './explore-params.ts';
import { MAX_QUERY_LENGTH } from '../../page-parts/param-reader.ts';

/** Ignored values of one parameter. */
interface IgnoredParam {
  readonly name: string;
  readonly values: readonly string[];
  /** Sentence that states the expected format. */
  readonly expected: string;
}

/** Name of a filter that is a text field. */
export type TextParam = 'min_price' | 'max_price' | 'host';

const EXPECTED_PRICE = 'Use a number of US dollars such as 0.05.';

const EXPECTED: ReadonlyMap<string, string> = new Map([
  ['q', `Use at most ${MAX_QUERY_LENGTH} characters.`],
  ['network', 'Use a CAIP-2 id such as eip155:8453.'],
  ['grade', `Use ${listValues(GRADES)}.`],
  ['recommendation', `Use ${listValues(RECOMMENDATIONS)}.`],
  ['min_price', EXPECTED_PRICE],
  ['max_price', EXPECTED_PRICE],
  ['host', 'Use a host such as api.example.com.'],
  ['tag', `Use at most ${MAX_TAG_LENGTH} characters.`],
  ['status', 'Use listed or delisted.'],
  ['sort', `Use ${listValues(Object.keys(SORT_LABELS))}.`],
  ['after', 'Use the link to the next page. The first page is shown.'],
]);

/** Groups ignored values such as `grade=Z` by their parameters, each with its expected format. */
export function groupIgnored(ignored: readonly string[]): readonly IgnoredParam[] {
  const groups = new Map<string, string[]>();
  for (const text of ignored) {
    const [name, value] = splitPair(text);
    groups.set(name, [...(groups.get(name) ?? []), value]);
  }
  return [...groups].map(([name, values]) => ({ name, values, expected: EXPECTED.get(name) ?? '' }));
}

/** Returns the ignored value of a text field with its expected format; null if the value is valid or empty. */
export function findIgnored(ignored: readonly string[], name: TextParam): FieldError | null {
  const pair = ignored.map(splitPair).find(([each]) => each === name);
  if (pair === undefined) return null;
  // A long value was cut for the page. Half of a value must not be sent with the next form.
  return { value: pair[1].endsWith('…') ? '' : pair[1], expected: EXPECTED.get(name) ?? '' };
}

/** Value of a text field that is not valid. */
interface FieldError {
  readonly value: string;
  /** Sentence that states the expected format. */
  readonly expected: string;
}

function splitPair(text: string): readonly [name: string, value: string] {
  const index = text.indexOf('=');
  return index === -1 ? [text, ''] : [text.slice(0, index), text.slice(index + 1)];
}

/** Joins values with commas and `or`, for example "A, B or C". */
function listValues(values: readonly string[]): string {
  return `${values.slice(0, -1).join(', ')} or ${values.at(-1) ?? ''}`;
}
