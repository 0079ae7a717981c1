import { webcrypto } from 'node:crypto';
import {
  KEY_SET_PATH,
  type KeySet,
  keySetSchema,
  type Signature,
  trustReportSchema,
} from '@touchstone/contract';
import { recompute, type Recomputed, type SignatureCheck, verifySignature } from '@touchstone/trust';
import { readMember } from '@touchstone/x402/json';
import { CliError, toMessage } from '../command-tools.ts';
import { parseStrict } from '../json.ts';
import { readSource, type SourceOptions } from '../network/read-source.ts';

/**
 * A value that may be a report, or the fault of text that is not valid JSON. `location` is a place in the input; empty
 * for the whole input.
 */
type FoundReport =
  | { readonly location: string; readonly report: unknown }
  | { readonly location: string; readonly fault: string };

/**
 * Finds the reports in a text: one report, a list of reports, one report on each line, or an object with `samples` as
 * in the preview.
 */
export function findReports(text: string): readonly FoundReport[] {
  const whole = tryParse(text);
  if ('json' in whole) return findInDocument(whole.json, '');
  const lines = text
    .split('\n')
    .map((line, index) => ({ line, location: `line ${String(index + 1)}` }))
    .filter(({ line }) => line.trim() !== '');
  const parsed = lines.map(({ line, location }) => ({ location, ...tryParse(line) }));
  // If no line is valid JSON, the text is one invalid document. The fault of this document is more useful than a fault
  // for each line.
  if (!parsed.some((line) => 'json' in line)) return [{ location: '', fault: whole.fault }];
  return parsed.flatMap((line) =>
    'json' in line
      ? findInDocument(line.json, line.location)
      : [{ location: line.location, fault: line.fault }],
  );
}

function tryParse(text: string): { readonly json: unknown } | { readonly fault: string } {
  try {
    return { json: parseStrict(text) };
  } catch (error) {
    return { fault: `not valid JSON: ${toMessage(error)}` };
  }
}

function findInDocument(json: unknown, location: string): FoundReport[] {
  if (!Array.isArray(json)) return findInObject(json, location);
  return json.flatMap((element: unknown, index) =>
    findInObject(element, appendLocation(location, `[${String(index)}]`)),
  );
}

function findInObject(json: unknown, location: string): FoundReport[] {
  const samples = readMember(json, 'samples');
  if (!Array.isArray(samples)) return [{ location, report: json }];
  return samples.map((sample: unknown, index) => ({
    location: appendLocation(location, `samples[${String(index)}].report`),
    report: readMember(sample, 'report'),
  }));
}

function appendLocation(location: string, part: string): string {
  return location === '' ? part : `${location}, ${part}`;
}

/** Result of checking a signature. `keysFrom` is the source of the keys; null if the check needed no key. */
export type SignatureResult =
  | (SignatureCheck & { readonly keysFrom: string | null })
  | { readonly outcome: 'no-keys'; readonly reason: string }
  | { readonly outcome: 'not-asked' };

export interface CheckedReport {
  /** Location in the input, such as `line 2`; empty when the input is one report. */
  readonly location: string;
  readonly figures: Recomputed;
  readonly signature: SignatureResult;
}

/**
 * Checks the figures and the signature of a report.
 *
 * @param report any value that was parsed from JSON
 * @param keyRing keys for checking the signature; null to check only the figures
 */
export async function checkReport(
  location: string,
  report: unknown,
  keyRing: KeyRing | null,
): Promise<CheckedReport> {
  return { location, figures: recompute(report), signature: await checkSignature(report, keyRing) };
}

const signedSchema = trustReportSchema.pick({ signature: true }).loose();

/** Checks the signature of a report or of a purchase record. */
export async function checkSignature(report: unknown, keyRing: KeyRing | null): Promise<SignatureResult> {
  if (keyRing === null) return { outcome: 'not-asked' };
  const parsed = signedSchema.safeParse(report);
  if (!parsed.success) return { outcome: 'no-report', keysFrom: null };
  const { signature } = parsed.data;
  if (signature === null) return { outcome: 'unsigned', keysFrom: null };
  const found = await keyRing(signature);
  if (found.keys === null) return { outcome: 'no-keys', reason: found.reason };
  return { ...(await verifySignature(report, found.keys, webcrypto.subtle)), keysFrom: found.from };
}

/**
 * Returns the exit code for a checked report: 0 when figures and signature are valid, 1 when a figure differs or the
 * signature is not by the service, 2 when the figures or the signature could not be checked.
 */
export function toExitCode({ figures, signature }: CheckedReport): 0 | 1 | 2 {
  if (figures.outcome === 'differs' || isForged(signature)) return 1;
  const isAccepted = signature.outcome === 'valid' || signature.outcome === 'not-asked';
  return figures.outcome === 'agrees' && isAccepted ? 0 : 2;
}

/** Returns true for a signature that is not by the keys of the service. */
export function isForged({ outcome }: SignatureResult): boolean {
  return ['forged', 'unknown-key', 'key-out-of-use'].includes(outcome);
}

type KeyLookup =
  | { readonly keys: KeySet; readonly from: string }
  | { readonly keys: null; readonly reason: string };

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
 * Converts the value of `--keys` to the location of a key set. The URL of a service becomes the URL of its well-known
 * path.
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
