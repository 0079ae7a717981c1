import { toPlainText } from '@touchstone/ui';

/** Maximum number of ignored values that a page names. */
const MAX_IGNORED = 5;
/** Maximum length of an ignored value on a page, in characters. */
const MAX_IGNORED_LENGTH = 60;

/** Reads the parameters of a URL and collects the values that are not valid. Page scripts use this class too. */
export class ParamReader {
  /** Ignored values, such as `grade=Z`. At most `MAX_IGNORED` values, each cut to a short text without line breaks. */
  readonly ignored: string[] = [];
  readonly #search: URLSearchParams;

  constructor(search: URLSearchParams) {
    this.#search = search;
  }

  /** Returns the first value of a parameter that is not empty; null if all values are empty or the value is invalid. */
  readOne<Value>(name: string, parse: (value: string) => Value | null): Value | null {
    const value = this.#search.getAll(name).find((each) => normalizeQuery(each) !== '');
    if (value === undefined) return null;
    const parsed = parse(value.trim());
    if (parsed === null) this.#ignore(name, value);
    return parsed;
  }

  /** Returns the valid values of a list without repetitions. */
  readList<Value extends string>(name: string, isValid: (value: string) => value is Value): Value[] {
    const values = this.#search
      .getAll(name)
      .flatMap((list) => list.split(','))
      .map((value) => value.trim())
      .filter((value) => normalizeQuery(value) !== '');
    const valid = new Set<Value>();
    for (const value of values) {
      if (isValid(value)) valid.add(value);
      else this.#ignore(name, value);
    }
    return [...valid];
  }

  #ignore(name: string, value: string): void {
    if (this.ignored.length < MAX_IGNORED)
      this.ignored.push(toPlainText(`${name}=${value.slice(0, MAX_IGNORED_LENGTH * 2)}`, MAX_IGNORED_LENGTH));
  }
}

/**
 * Normalizes an untrusted search query to one trimmed line. Control and format characters are removed, because
 * PostgreSQL refuses NUL, and bidirectional control characters could reorder the text of the page.
 */
export function normalizeQuery(query: string): string {
  return toPlainText(query, Number.POSITIVE_INFINITY);
}
