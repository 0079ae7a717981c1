import { isIndexable, type Snapshot } from '@touchstone/store';
import { formatGrade, formatScore, toPlainText } from '@touchstone/ui';
import type { Metadata } from 'next';
import { createPageMetadata } from '../../page-parts/create-page-metadata.ts';

/** Maximum length of the URL of an endpoint in titles and descriptions, in characters. A longer URL is shortened. */
const MAX_URL_LENGTH = 60;
/** Number of characters of a shortened URL before its ellipsis. */
const HEAD_LENGTH = 28;
/** Number of characters of a shortened URL after its ellipsis. */
const TAIL_LENGTH = 14;

/**
 * Creates the metadata of an endpoint page. Search engines must not list ungraded endpoints, URL templates, and
 * endpoints that no directory lists.
 */
export function createEndpointMetadata(snapshot: Snapshot): Metadata {
  const { slug, grade, score } = snapshot;
  const name = formatName(snapshot);
  return createPageMetadata({
    title: `${formatGrade(grade)}: ${name} · x402 trust score`,
    description: `${formatGrade(grade)}, trust score ${formatScore(score)} of 100: ${name}. Uptime, latency, price and payment options, measured by Touchstone.`,
    path: `/endpoint/${slug}`,
    indexed: isIndexable(snapshot),
    picture: `/picture/${slug}.png`,
    formats: { 'application/json': `/endpoint/${slug}.json` },
  });
}

/**
 * Formats the URL of an endpoint so that two endpoints never have the same name: a long URL is shortened in the middle
 * and followed by the endpoint id, and only `https://` is left out.
 */
function formatName({ resource, endpointId }: Snapshot): string {
  const characters = [...toPlainText(resource.replace(/^https:\/\//, ''), Infinity)];
  if (characters.length <= MAX_URL_LENGTH) return characters.join('');
  const [head, tail] = [characters.slice(0, HEAD_LENGTH), characters.slice(-TAIL_LENGTH)];
  return `${head.join('')}…${tail.join('')} (${endpointId})`;
}
