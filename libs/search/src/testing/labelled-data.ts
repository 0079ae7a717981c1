import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { createSearchText, type SearchText, type SearchTextSource } from '../text/create-search-text.ts';

const schema = z.record(
  z.string(),
  z.object({
    described: z.array(z.string()),
    undescribed: z.array(z.string()),
    queries: z.array(z.string()),
  }),
);

/** Endpoint of the labelled data. */
export interface LabelledEndpoint extends SearchText {
  readonly purpose: string;
}

interface LabelledQuery {
  readonly purpose: string;
  readonly query: string;
}

export interface LabelledData {
  readonly endpoints: readonly LabelledEndpoint[];
  readonly queries: readonly LabelledQuery[];
}

/** Message when {@link readLabelledData} returns null. */
export const MISSING_DATA = 'REAL_DATA_DIR is not set to the folder with search-labelled.json.';

/** Reads the labelled endpoints and queries; null when the folder REAL_DATA_DIR does not contain their file. */
export function readLabelledData(): LabelledData | null {
  const file = join(process.env['REAL_DATA_DIR'] ?? '', 'search-labelled.json');
  if (!existsSync(file)) return null;
  const purposes = Object.entries(schema.parse(JSON.parse(readFileSync(file, 'utf8'))));
  return {
    endpoints: purposes.flatMap(([purpose, { described, undescribed }]) => [
      ...described.map((text) => ({ purpose, ...createDescribed(text) })),
      ...undescribed.map((text) => ({ purpose, ...createUndescribed(text) })),
    ]),
    queries: purposes.flatMap(([purpose, { queries }]) => queries.map((query) => ({ purpose, query }))),
  };
}

function createDescribed(description: string): SearchText {
  return create({ resource: 'https://service.example/', serviceName: null, description });
}

/**
 * Converts an undescribed text to the parts of an endpoint. The first word is the service name, and the other words are
 * the words of the path.
 */
function createUndescribed(text: string): SearchText {
  const [serviceName = '', ...path] = text.split(' ');
  const resource = `https://service.example/${path.join('/')}`;
  return create({ resource, serviceName, description: null });
}

function create(source: SearchTextSource): SearchText {
  const created = createSearchText(source);
  if (created === null) throw new Error('A labelled endpoint has no words.');
  return created;
}
