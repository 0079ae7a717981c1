import { KEY_SET_PATH, keySetSchema, type KeySet, type Signature } from '@touchstone/contract';
import { CliError } from '../cli-error.ts';
import { parseStrict } from '../json.ts';
import { readSource, type SourceOptions } from '../network/read-source.ts';

/** Keys for checking a signature with their source, or the reason why there are no keys. */
type KeyLookup =
  | { readonly keys: KeySet; readonly from: string }
  | { readonly keys: null; readonly reason: string };

/** Finds the keys for a signature. */
export type KeyRing = (signature: Signature) => Promise<KeyLookup>;

export interface KeyRingOptions extends SourceOptions {
  /** Value of `--keys`: a URL or a file; undefined without the option. */
  readonly keysOption: string | undefined;
  /** URL from which the reports were fetched; null for reports from files. */
  readonly reportsUrl: URL | null;
}

/**
 * Opens the keys for checking signatures. Only two sources are trusted, because a forged report can name other keys:
 * the keys of `--keys`, and, for a fetched report, the keys at the well-known path of its origin. The operator of the
 * origin controls that path (RFC 8615). At other paths of the origin, other people may be able to upload files.
 *
 * @throws CliError when the keys of `--keys` cannot be read
 */
export async function openKeyRing({ keysOption, reportsUrl, ...source }: KeyRingOptions): Promise<KeyRing> {
  if (keysOption !== undefined) {
    const trusted = await readTrustedKeys(keysOption, source);
    return async () => Promise.resolve(trusted);
  }
  const wellKnown = reportsUrl === null ? null : new URL(KEY_SET_PATH, reportsUrl);
  // The keys are fetched once for all reports of a run.
  let fetched: Promise<KeyLookup> | undefined;
  return async ({ keys: namedUrl }) => {
    if (wellKnown === null || new URL(namedUrl).href !== wellKnown.href)
      return { keys: null, reason: explainUntrustedKeys(namedUrl, wellKnown) };
    fetched ??= fetchKeySet(wellKnown, source);
    return fetched;
  };
}

/**
 * Reads the keys of `--keys`.
 *
 * @param keysOption URL of a service, or URL or file of its key set
 * @throws CliError when the keys cannot be read
 */
export async function readTrustedKeys(
  keysOption: string,
  source: SourceOptions,
): Promise<{ readonly keys: KeySet; readonly from: string }> {
  const from = toKeySetLocation(keysOption);
  return { keys: await readKeySet(from, source), from };
}

/**
 * Converts the value of `--keys` to the location of a key set. For the URL of a service, that is the well-known path.
 */
function toKeySetLocation(keysOption: string): string {
  const url = URL.parse(keysOption);
  const isOrigin = url !== null && /^https?:$/.test(url.protocol) && url.pathname + url.search === '/';
  return isOrigin ? new URL(KEY_SET_PATH, url).href : keysOption;
}

function explainUntrustedKeys(namedUrl: string, wellKnown: URL | null): string {
  const reason =
    wellKnown === null
      ? 'the report comes from a file, and a forged report names its own keys, too'
      : `the report names other keys than those at ${wellKnown.href}`;
  return `${reason}. If the service at ${new URL(namedUrl).origin} should have signed it, use --keys ${new URL(KEY_SET_PATH, namedUrl).href}`;
}

async function fetchKeySet(url: URL, source: SourceOptions): Promise<KeyLookup> {
  try {
    return { keys: await readKeySet(url.href, source), from: url.href };
  } catch (error) {
    if (!(error instanceof CliError)) throw error;
    return { keys: null, reason: error.message };
  }
}

async function readKeySet(location: string, source: SourceOptions): Promise<KeySet> {
  const { text } = await readSource(location, source);
  let json: unknown;
  try {
    json = parseStrict(text);
  } catch (cause) {
    throw new CliError(`${location} is not a key set: it is not valid JSON.`, { cause });
  }
  const parsed = keySetSchema.safeParse(json);
  if (!parsed.success)
    throw new CliError(`${location} is not a key set: it does not match the schema of Touchstone key sets.`);
  return parsed.data;
}
