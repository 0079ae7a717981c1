import { isIndexable, type Snapshot } from '@touchstone/store';
import { formatGrade, formatScore, toPlainText } from '@touchstone/ui';
import type { Metadata } from 'next';
import { createPageMetadata } from './create-page-metadata.ts';

/** Maximum length of the URL of an endpoint in titles and descriptions, in characters. */
const MAX_NAME_LENGTH = 110;

/**
 * Creates the metadata of an endpoint page. Search engines must not list ungraded endpoints, URL templates, and
 * endpoints that no directory lists.
 */
export function createEndpointMetadata(snapshot: Snapshot): Metadata {
  const { slug, grade, score } = snapshot;
  const name = formatName(snapshot);
  return createPageMetadata({
    title: `${name}: x402 trust score`,
    description: `${name}: ${formatGrade(grade)}, trust score ${formatScore(score)} of 100. Uptime, latency, price and payment options, measured by Touchstone.`,
    path: `/endpoint/${slug}`,
    indexed: isIndexable(snapshot),
    picture: `/picture/${slug}.png`,
    formats: { 'application/json': `/endpoint/${slug}.json` },
  });
}

/**
 * Formats the URL of an endpoint so that two endpoints never have the same name: a long URL ends with the endpoint id,
 * and only `https://` is left out.
 */
function formatName({ resource, endpointId }: Snapshot): string {
  const url = toPlainText(resource.replace(/^https:\/\//, ''), 2 * MAX_NAME_LENGTH);
  const characters = [...url];
  if (characters.length <= MAX_NAME_LENGTH) return url;
  return `${characters.slice(0, MAX_NAME_LENGTH - 13).join('')}… (${endpointId})`;
}
