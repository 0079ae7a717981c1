import { createBulkRequestSchema, MAX_BULK_RESOURCES } from '@touchstone/contract';
import { z } from 'zod';
import { CliError } from '../cli-error.ts';
import { toPlainText } from '../terminal/plain-text.ts';

const requestSchema = createBulkRequestSchema(MAX_BULK_RESOURCES);

/** A URL in the text of a list, with its place for messages, such as `Line 7`. */
interface Entry {
  readonly place: string;
  readonly resource: string;
}

/**
 * Parses a list of URLs: one on each line, or a JSON array of strings. Empty lines, lines that begin with # and repeated
 * URLs are left out.
 *
 * @throws CliError for an invalid URL, and for a list without URLs
 */
export function parseResources(text: string): readonly string[] {
  const entries = text.trimStart().startsWith('[') ? readArray(text) : readLines(text);
  for (const entry of entries) checkResource(entry);
  const resources = [...new Set(entries.map(({ resource }) => resource))];
  if (resources.length === 0) throw new CliError('The list has no URLs. Write one URL on each line.');
  return resources;
}

function readLines(text: string): readonly Entry[] {
  return text
    .split('\n')
    .map((line, index) => ({ place: `Line ${String(index + 1)}`, resource: line.trim() }))
    .filter(({ resource }) => resource !== '' && !resource.startsWith('#'));
}

function readArray(text: string): readonly Entry[] {
  const parsed = z.array(z.string()).safeParse(parseJson(text));
  if (!parsed.success)
    throw new CliError(
      'The list begins with [ but is not a JSON array of strings. Each string must be a URL.',
    );
  return parsed.data.map((resource, index) => ({ place: `Item ${String(index + 1)}`, resource }));
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function checkResource({ place, resource }: Entry): void {
  const { error } = requestSchema.safeParse({ resources: [resource] });
  const [issue] = error?.issues ?? [];
  if (issue === undefined) return;
  throw new CliError(
    `${place} ${toPlainText(issue.message, 200)}; received "${toPlainText(resource, 100)}". Nothing was bought.`,
  );
}
