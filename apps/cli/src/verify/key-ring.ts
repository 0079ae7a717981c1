import { KEY_SET_PATH, keySetSchema, type KeySet, type Signature } from '@touchstone/contract';
import { CliError } from '../cli-error.ts';
import { openSource, type SourceOptions } from './open-source.ts';
import { parseStrict } from './parse-strict.ts';

/** Keys to check a signature with, and whose they are; or why there are none. */
type Keys =
  { readonly keys: KeySet; readonly from: string } | { readonly keys: null; readonly reason: string };

/** Finds the keys for a signature. */
export type KeyRing = (signature: Signature) => Promise<Keys>;

export interface KeyRingOptions extends SourceOptions {
  /** What `--keys` names, an address or a file. */
  readonly given: string | undefined;
  /** Where the reports were fetched from; null for those from files. */
  readonly reportsFrom: URL | null;
}

/**
 * Whoever writes a report can name keys of their own in it. So keys are those that `--keys` names, or, for a report
 * that was fetched, those at the well-known path of the same origin, which belongs to whoever runs it (RFC 8615); never
 * those of an address that a report alone vouches for, be it on that origin, where others may be let to put files.
 *
 * @throws CliError when `--keys` cannot be read
 */
export async function openKeyRing({ given, reportsFrom, ...source }: KeyRingOptions): Promise<KeyRing> {
  if (given !== undefined) {
    const from = keySetAt(given);
    const keys = await readKeys(from, source);
    return async () => Promise.resolve({ keys, from });
  }
  const wellKnown = reportsFrom === null ? null : new URL(KEY_SET_PATH, reportsFrom);
  // A batch asks for them once.
  let fetched: Promise<Keys> | undefined;
  return async ({ keys: named }) => {
    if (wellKnown === null || new URL(named).href !== wellKnown.href)
      return { keys: null, reason: strangersKeys(named, wellKnown) };
    fetched ??= fetchKeys(wellKnown, source);
    return fetched;
  };
}

/** The address of a service alone stands for that of its keys. */
function keySetAt(given: string): string {
  const url = URL.parse(given);
  const isOrigin = url !== null && /^https?:$/.test(url.protocol) && url.pathname + url.search === '/';
  return isOrigin ? new URL(KEY_SET_PATH, url).href : given;
}

function strangersKeys(named: string, wellKnown: URL | null): string {
  const why =
    wellKnown === null
      ? 'a report from a file names its own keys, as a forged one would'
      : `it names other keys than those at ${wellKnown.href}`;
  return `${why}. If the report is to be by the service at ${new URL(named).origin}, give --keys ${new URL(KEY_SET_PATH, named).href}`;
}

async function fetchKeys(url: URL, source: SourceOptions): Promise<Keys> {
  try {
    return { keys: await readKeys(url.href, source), from: url.href };
  } catch (error) {
    if (!(error instanceof CliError)) throw error;
    return { keys: null, reason: error.message };
  }
}

async function readKeys(name: string, source: SourceOptions): Promise<KeySet> {
  const { text } = await openSource(name, source);
  let json: unknown;
  try {
    json = parseStrict(text);
  } catch {
    throw new CliError(`${name} holds no key set: it is not JSON.`);
  }
  const parsed = keySetSchema.safeParse(json);
  if (!parsed.success) throw new CliError(`${name} holds no key set as Touchstone publishes them.`);
  return parsed.data;
}
