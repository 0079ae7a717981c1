import { createHash } from 'node:crypto';
import { relative, sep } from 'node:path';
import { describeReference, RULES, type Check } from '@touchstone/x402';
import { VERSION } from '../command-tools.ts';
import { toPlainJson } from '../terminal/text.ts';
import type { LintResult } from './lint-result.ts';

/** Place of a saved response: its file, and its first line there. */
export interface SavedPlace {
  readonly file: string;
  readonly line: number;
}

/** A linted response and its place in a file; null for a response from the network. */
export interface PlacedResult {
  readonly result: LintResult;
  readonly place: SavedPlace | null;
}

/** Maximum number of results in one SARIF run. GitHub rejects runs with more than 25,000 results. */
const MAX_RESULTS = 5_000;

const LEVELS = { error: 'error', warning: 'warning', info: 'note' } as const satisfies Readonly<
  Record<Check['severity'], string>
>;

/**
 * Formats the failed checks of all responses as one SARIF 2.1.0 log with one run. The location of a result is the host
 * and path of the endpoint, or the line of the file with the saved response.
 */
export function formatSarif(results: readonly PlacedResult[]): string {
  const faults = results.flatMap(({ result, place }) =>
    result.challenge.checks
      .filter((check) => check.result === 'fail')
      .map((check) => ({ check, url: result.url, place })),
  );
  const listed = faults.slice(0, MAX_RESULTS);
  const ids = new Set(listed.map(({ check }) => check.id));
  const rules = RULES.filter(({ id }) => ids.has(id));
  const indexes = new Map(rules.map(({ id }, index) => [id, index]));
  return toPlainJson({
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: { driver: { name: 'touchstone', semanticVersion: VERSION, rules: rules.map(toRule) } },
        results: listed.map(({ check, url, place }) => ({
          ruleId: check.id,
          ruleIndex: indexes.get(check.id),
          level: LEVELS[check.severity],
          message: { text: `${check.message} Fix: ${check.fix}` },
          locations: [toLocation(url, place)],
          // The upload to GitHub computes the fingerprint of a line in a file, but not that of an endpoint.
          ...(place === null
            ? { partialFingerprints: { primaryLocationLineHash: toFingerprint(check.id, url) } }
            : {}),
          properties: { url },
        })),
        ...(listed.length < faults.length
          ? { properties: { omittedResults: faults.length - listed.length } }
          : {}),
      },
    ],
  });
}

function toRule({ id, requirement, fix, reference, level: [axis, severity] }: (typeof RULES)[number]) {
  const source = describeReference(reference);
  return {
    id,
    shortDescription: { text: requirement },
    fullDescription: { text: requirement },
    help: { text: `${fix} Source: ${source}`, markdown: `${fix}\n\nSource: ${source}` },
    defaultConfiguration: { level: LEVELS[severity] },
    properties: { tags: [axis] },
  };
}

/** GitHub rejects a log whose locations have another scheme than `file`, so each location is a relative reference. */
function toLocation(url: string, place: SavedPlace | null) {
  return {
    physicalLocation: {
      artifactLocation: { uri: place === null ? toReference(url) : toPath(place.file) },
      region: { startLine: place?.line ?? 1 },
    },
  };
}

/** Returns host, port and path of a URL, such as `api.example.com_8443/v1`. A saved response may have another text. */
function toReference(text: string): string {
  const url = URL.parse(text);
  if (url === null || url.host === '') return encode(text);
  return `${encode(url.host.replace(/:(\d+)$/, '_$1'))}${url.pathname}`;
}

/** Returns the path of a file relative to the working directory. */
const toPath = (file: string): string => relative('', file).split(sep).map(encode).join('/');

/** Percent-encodes text. A colon in the first segment of a reference would end a scheme. */
const encode = (text: string): string => encodeURIComponent(text.toWellFormed());

const toFingerprint = (ruleId: string, url: string): string =>
  `${createHash('sha256').update(`${ruleId} ${url}`).digest('hex').slice(0, 16)}:1`;
