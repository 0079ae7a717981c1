import { domainToUnicode } from 'node:url';
import { parse } from 'tldts';

/** Minimum length of a name that is compared letter by letter, in characters. Shorter names differ by one letter by chance. */
const MIN_EDITED_CHARS = 6;
/** Minimum length of a name without letters of other scripts that is compared by its appearance, in characters. */
const MIN_CONFUSED_CHARS = 4;
/** Maximum number of labels in which the name of another host is searched. Longer host names do not exist in practice. */
const MAX_LABELS = 20;

/** Letters of other scripts that look like a Latin letter, each after that Latin letter. */
const LOOKALIKES: readonly (readonly [latin: string, letters: string])[] = [
  ['a', 'аɑα'],
  ['b', 'Ьƅ'],
  ['c', 'сϲ'],
  ['d', 'ԁ'],
  ['e', 'еҽ'],
  ['g', 'ɡ'],
  ['h', 'һ'],
  ['i', 'іıι'],
  ['j', 'ј'],
  ['k', 'кκ'],
  ['l', 'ӏ'],
  ['m', 'м'],
  ['n', 'п'],
  ['o', 'оοօ'],
  ['p', 'рρ'],
  ['q', 'ԛ'],
  ['s', 'ѕ'],
  ['t', 'тτ'],
  ['u', 'υս'],
  ['v', 'ѵν'],
  ['w', 'ԝш'],
  ['x', 'хχ'],
  ['y', 'уγ'],
];
const LATIN_LETTERS = new Map(
  LOOKALIKES.flatMap(([latin, letters]) => [...letters].map((letter) => [letter, latin] as const)),
);

/** Registered part of a host name, for example `exa` with the suffix `ai` of `api.exa.ai`. */
interface Registration {
  /** Registrable domain, for example `exa.ai`. */
  readonly domain: string;
  /** Label before the suffix, in Unicode. */
  readonly name: string;
  readonly suffix: string;
  /** True if anyone can register a name under this suffix of a platform, for example `vercel.app`. */
  readonly isPlatform: boolean;
}

function readRegistration(host: string): Registration | null {
  const { domain, domainWithoutSuffix, publicSuffix, isPrivate } = parse(host, {
    allowPrivateDomains: true,
    extractHostname: false,
    validateHostname: false,
  });
  if (domain === null || !domainWithoutSuffix || publicSuffix === null) return null;
  const name = domainToUnicode(domainWithoutSuffix) || domainWithoutSuffix;
  return { domain, name, suffix: publicSuffix, isPlatform: isPrivate === true };
}

/**
 * Returns the appearance of a name: names with the same appearance are easily confused. Only the pairs that occur in
 * host names are replaced: letters of other scripts, 0 and o, 1 and i and l, rn and m, vv and w.
 */
function toAppearance(name: string): string {
  return [...name]
    .map((character) => LATIN_LETTERS.get(character) ?? character)
    .join('')
    .replaceAll('0', 'o')
    .replaceAll(/[1i]/g, 'l')
    .replaceAll('rn', 'm')
    .replaceAll('vv', 'w');
}

/** Known hosts that an unknown host may imitate. */
export class ImitableHosts {
  /** Known hosts of each registrable domain. */
  readonly #domains = new Map<string, string[]>();
  /** Names by their appearance and suffix. */
  readonly #appearances = new Map<string, Registration>();
  /** Names that are not on platforms, by suffix and length. */
  readonly #names = new Map<string, Registration[]>();

  /** @param hosts host names as `canonicalize` returns them */
  constructor(hosts: Iterable<string>) {
    for (const host of hosts) this.#add(host);
  }

  #add(host: string): void {
    const known = readRegistration(host);
    if (known === null) return;
    const hosts = this.#domains.get(known.domain);
    if (hosts !== undefined) {
      hosts.push(host);
      return;
    }
    this.#domains.set(known.domain, [host]);
    this.#appearances.set(`${toAppearance(known.name)}.${known.suffix}`, known);
    const length = known.name.length;
    if (known.isPlatform || length < MIN_EDITED_CHARS) return;
    const key = `${length}.${known.suffix}`;
    const names = this.#names.get(key);
    if (names === undefined) this.#names.set(key, [known]);
    else names.push(known);
  }

  /**
   * Returns the known host that an unknown host imitates; null if no imitation is recognized. Of several known hosts with
   * one domain, a host whose whole name the unknown name contains has precedence. A host imitates if its name contains the
   * registrable domain of the known host before its own domain, looks like the name of the known host, or differs from a
   * name of at least six characters by one letter that was added, removed, replaced or swapped.
   *
   * Silent in doubt: for a host with the registrable domain of a known host, for the same name under another suffix, for
   * another digit, and for one other letter on a platform whose customers choose their names.
   */
  find(host: string): string | null {
    const unknown = readRegistration(host);
    if (unknown === null || this.#domains.has(unknown.domain)) return null;
    const domain = this.#findContained(host) ?? this.#findConfused(unknown) ?? this.#findEdited(unknown);
    const hosts = domain === null ? [] : (this.#domains.get(domain) ?? []);
    return hosts.find((known) => host.includes(known)) ?? hosts[0] ?? null;
  }

  /** Finds a known domain at the start of a label, as in `api.exa.ai.evil.com` and `api.exa.ai-pay.com`. */
  #findContained(host: string): string | null {
    const labels = host.split('.').slice(0, MAX_LABELS);
    for (let first = 0; first < labels.length - 2; first += 1)
      for (let last = first + 1; last < labels.length - 1; last += 1) {
        const start = labels.slice(first, last).join('.');
        const parts = (labels[last] ?? '').split('-');
        const ends = parts.map((_, index) => parts.slice(0, index + 1).join('-'));
        const found = ends.map((end) => `${start}.${end}`).find((name) => this.#domains.has(name));
        if (found !== undefined) return found;
      }
    return null;
  }

  #findConfused({ name, suffix }: Registration): string | null {
    const known = this.#appearances.get(`${toAppearance(name)}.${suffix}`);
    if (known === undefined) return null;
    return name.length >= MIN_CONFUSED_CHARS || /[^ -~]/.test(name) ? known.domain : null;
  }

  #findEdited({ name, suffix, isPlatform }: Registration): string | null {
    if (isPlatform || name.length < MIN_EDITED_CHARS) return null;
    for (const length of [name.length, name.length - 1, name.length + 1]) {
      const names = this.#names.get(`${length}.${suffix}`) ?? [];
      const known = names.find((other) => isOneEdit(name, other.name));
      if (known !== undefined) return known.domain;
    }
    return null;
  }
}

const DIGITS = /^[0-9]*$/;

/** Returns true if one character other than a digit was added, removed or replaced, or two neighbors were swapped. */
function isOneEdit(left: string, right: string): boolean {
  let start = 0;
  while (start < left.length && left[start] === right[start]) start += 1;
  let end = 0;
  const max = Math.min(left.length, right.length) - start;
  while (end < max && left.at(-1 - end) === right.at(-1 - end)) end += 1;
  const [one, other] = [left.slice(start, left.length - end), right.slice(start, right.length - end)];
  if (DIGITS.test(one + other)) return false;
  const isSwapped = one.length === 2 && one === `${other[1] ?? ''}${other[0] ?? ''}`;
  return isSwapped || (one.length <= 1 && other.length <= 1);
}
