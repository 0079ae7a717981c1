import { createLocalEmbedder } from './create-local-embedder.ts';
import { HELD_OUT } from './held-out.ts';
import { MISSING_DATA, readLabelledData } from './labelled-data.ts';
import {
  embedEndpoints,
  embedLabelledData,
  measurePairs,
  measureQuality,
  QUERY_FLOOR,
  type Quality,
  type QueryQuality,
} from './search-quality.ts';

/**
 * Converts the quality of search to a row of the table that this script prints. Usage: `REAL_DATA_DIR=… npm run
 * recorded:search`.
 */
function toRow(quality: Quality): Record<string, string> {
  const { queries, ...means } = quality;
  const values = Object.entries(means).map(([name, value]): [string, string] => [name, value.toFixed(3)]);
  return Object.fromEntries([['queries', String(queries.length)], ...values]);
}

/** Returns the ten queries with the lowest nDCG@10. */
function findWorst({ queries }: Quality): readonly QueryQuality[] {
  return [...queries].sort((one, other) => one.ndcgAt10 - other.ndcgAt10).slice(0, 10);
}

const data = readLabelledData();
if (data === null) {
  console.error(MISSING_DATA);
  process.exitCode = 2;
} else {
  const embedder = await createLocalEmbedder();
  const { queries, documents } = await embedLabelledData(embedder, data);
  const described = documents.filter(({ described: isDescribed }) => isDescribed);
  const ofQueries = { floor: QUERY_FLOOR, omitsBelow: false };
  const search = measureQuality(queries, documents, ofQueries);
  console.table({
    'queries, without the floor': toRow(search),
    'queries, with the floor': toRow(measureQuality(queries, documents, { ...ofQueries, omitsBelow: true })),
    'queries, described endpoints only': toRow(measureQuality(queries, described, ofQueries)),
  });
  console.table({
    'alternatives, described': measurePairs(described),
    'alternatives, undescribed': measurePairs(documents, ({ described: isDescribed }) => !isDescribed),
    'alternatives, held-out descriptions': measurePairs(await embedEndpoints(embedder, HELD_OUT)),
  });
  console.log('\nThe ten worst queries:');
  for (const { query, ndcgAt10, reciprocalRank, first } of findWorst(search))
    console.log(
      `nDCG ${ndcgAt10.toFixed(3)}  RR ${reciprocalRank.toFixed(2)}  ${query}\n                     first: ${first ?? 'none'}`,
    );
}
