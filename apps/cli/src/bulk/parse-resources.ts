import { formatCount, formatNumber, parseJson } from '@touchstone/common';
import { createBulkRequestSchema, MAX_BODY_BYTES, MAX_BULK_RESOURCES } from '@touchstone/contract';
import { z } from 'zod';
import { CliError } from '../command-tools.ts';
import { toPlainText } from '../terminal/text.ts';

const requestSchema = createBulkRequestSchema(MAX_BULK_RESOURCES);

/** A URL of a list, with its place in the list for error messages, such as `Line 7`. */
interface Entry {
  readonly place: string;
  readonly resource: string;
}

/**
 * Parses a list of URLs: one on each line, a JSON array of strings, or the request body of the API. Empty lines, lines
 * that begin with # and repeated URLs are left out.
 *
 * @throws CliError for an invalid URL, for a list without URLs, and for a list that is too long for one purchase
 */
export function parseResources(text: string): readonly string[] {
  const entries = /^\s*[[{]/.test(text) ? readJson(text) : readLines(text);
  checkResources(entries);
  const resources = [...new Set(entries.map(({ resource }) => resource))];
  if (resources.length === 0) throw new CliError('The list has no URLs. Write one URL on each line.');
  checkLength(resources);
  return resources;
}

function checkLength(resources: readonly string[]): void {
  const bytes = Buffer.byteLength(JSON.stringify({ resources }));
  if (resources.length <= MAX_BULK_RESOURCES && bytes <= MAX_BODY_BYTES) return;
  throw new CliError(
    `The list has ${formatCount(resources.length, 'URL')} and ${formatNumber(bytes)} bytes. One purchase has at most ` +
      `${formatNumber(MAX_BULK_RESOURCES)} URLs and ${formatNumber(MAX_BODY_BYTES)} bytes. Divide the list. ` +
      'Nothing was bought.',
  );
}

function readLines(text: string): readonly Entry[] {
  return text
    .split('\n')
    .map((line, index) => ({ place: `Line ${String(index + 1)}`, resource: line.trim() }))
    .filter(({ resource }) => resource !== '' && !resource.startsWith('#'));
}

const urlsSchema = z.array(z.string());
const listSchema = z.union([urlsSchema, z.object({ resources: urlsSchema })]);

function readJson(text: string): readonly Entry[] {
  const { data } = listSchema.safeParse(parseJson(text));
  if (data === undefined)
    throw new CliError(
      'The list begins like JSON. It must then be an array of URLs, or an object such as {"resources": ["https://…"]}.',
    );
  const resources = 'resources' in data ? data.resources : data;
  return resources.map((resource, index) => ({ place: `Item ${String(index + 1)}`, resource }));
}

/** Maximum number of invalid URLs that an error message names. */
const MAX_NAMED_ERRORS = 10;

function checkResources(entries: readonly Entry[]): void {
  const invalid = entries.flatMap((entry) => describeError(entry) ?? []);
  if (invalid.length === 0) return;
  const named = invalid.slice(0, MAX_NAMED_ERRORS);
  const unnamed = invalid.length - named.length;
  throw new CliError(
    [
      ...named,
      ...(unnamed === 0 ? [] : [`${formatCount(unnamed, 'more invalid URL')}.`]),
      'Nothing was bought.',
    ].join('\n'),
  );
}

/** Describes why an entry is not the URL of an endpoint; null for a valid entry. */
function describeError({ place, resource }: Entry): string | null {
  const { error } = requestSchema.safeParse({ resources: [resource] });
  const [issue] = error?.issues ?? [];
  if (issue === undefined) return null;
  return `${place} ${toPlainText(issue.message, 200)}; received "${toPlainText(resource, 100)}".`;
}
