import { expect, it } from 'vitest';
import { createLocalEmbedder } from './testing/create-local-embedder.ts';
import { MISSING_DATA, readLabelledData } from './testing/labelled-data.ts';
import { HELD_OUT } from './testing/held-out.ts';
import {
  embedEndpoints,
  embedLabelledData,
  measurePairs,
  measureQuality,
  QUERY_FLOOR,
} from './testing/search-quality.ts';

const data = readLabelledData();

it('finds the endpoints of labelled queries, and alternatives that do the same job', async ({ skip }) => {
  if (data === null) return skip(MISSING_DATA);
  const embedder = await createLocalEmbedder();
  const { queries, documents } = await embedLabelledData(embedder, data);
  const shown = measureQuality(queries, documents, { floor: QUERY_FLOOR, omitsBelow: true });
  expect(shown.ndcgAt10).toBeGreaterThanOrEqual(0.776);
  expect(shown.mrr).toBeGreaterThanOrEqual(0.897);
  expect(shown.rightAboveFloor).toBeGreaterThanOrEqual(0.88);
  expect(shown.wrongAboveFloor).toBeLessThanOrEqual(0.12);
  const alternatives = [
    measurePairs(documents.filter(({ described }) => described)),
    measurePairs(documents, ({ described }) => !described),
    measurePairs(await embedEndpoints(embedder, HELD_OUT)),
  ];
  for (const { precision, recall } of alternatives) {
    expect(precision).toBeGreaterThanOrEqual(0.95);
    expect(recall).toBeGreaterThanOrEqual(0.8);
  }
});
