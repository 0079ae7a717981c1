import {
  type BulkSize,
  chooseBulkSize,
  createBulkRequestSchema,
  findOperation,
  MAX_BODY_BYTES,
  MAX_BULK_RESOURCES,
  toBulkPath,
} from '@touchstone/contract';
import { z } from 'zod';
import { CliError } from '../command-tools.ts';
import { parseJson } from '../json.ts';
import { formatCount, parseUsd, toPlainText } from '../terminal/text.ts';

const requestSchema = createBulkRequestSchema(MAX_BULK_RESOURCES);

/** A URL in the text of a list, with its place for messages, such as `Line 7`. */
interface Entry {
  readonly place: string;
  readonly resource: string;
}

/**
 * Parses a list of URLs: one on each line, a JSON array of strings, or the request body of the API. Empty lines, lines
 * that begin with # and repeated URLs are left out.
 *
 * @throws CliError for an invalid URL, and for a list without URLs
 */
export function parseResources(text: string): readonly string[] {
  const entries = /^\s*[[{]/.test(text) ? readJson(text) : readLines(text);
  checkResources(entries);
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

/** @throws CliError that names the invalid URLs */
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

/** One purchase of a list: the URLs of one request. */
export interface BulkPurchase {
  readonly resources: readonly string[];
  readonly path: string;
  /** Price of the contract, in atomic units of USDC. */
  readonly price: bigint;
}

/** Length of an empty request body, `{"resources":[]}`, in bytes. */
const EMPTY_BODY_BYTES = 16;

/**
 * Divides a list of URLs into purchases. Each has at most 500 URLs and a body of at most 64 KiB, and uses the smallest
 * operation that fits.
 */
export function planPurchases(resources: readonly string[]): readonly BulkPurchase[] {
  const groups: string[][] = [];
  let bytes = Infinity;
  for (const resource of resources) {
    const added = Buffer.byteLength(JSON.stringify(resource)) + 1;
    const group = groups.at(-1);
    if (group === undefined || group.length >= MAX_BULK_RESOURCES || bytes + added > MAX_BODY_BYTES) {
      groups.push([resource]);
      bytes = EMPTY_BODY_BYTES + added;
    } else {
      group.push(resource);
      bytes += added;
    }
  }
  return groups.map(createPurchase);
}

function createPurchase(resources: readonly string[]): BulkPurchase {
  const size = chooseBulkSize(resources.length);
  return { resources, path: toBulkPath(size), price: findBulkPrice(size) };
}

/** Returns the price of a bulk operation, in atomic units of USDC. */
export function findBulkPrice(size: BulkSize): bigint {
  const path = toBulkPath(size);
  const price = parseUsd(findOperation('POST', path)?.priceUsd ?? '');
  if (price === null) throw new Error(`The contract has no price for ${path}`);
  return price;
}
