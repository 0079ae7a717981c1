import { expect, it } from 'vitest';
import { createLocalEmbedder } from './testing/create-local-embedder.ts';
import { MISSING_DATA, readLabelledData } from './testing/labelled-data.ts';
import {
  ALTERNATIVE_FLOOR,
  embedLabelledData,
  measureQuality,
  QUERY_FLOOR,
} from './testing/search-quality.ts';

const data = readLabelledData();

it('finds the endpoints of labelled queries, and alternatives to labelled endpoints', async ({ skip }) => {
  if (data === null) return skip(MISSING_DATA);
  const { queries, documents } = await embedLabelledData(await createLocalEmbedder(), data);
  const shown = measureQuality(queries, documents, { floor: QUERY_FLOOR, omitsBelow: true });
  expect(shown.ndcgAt10).toBeGreaterThanOrEqual(0.776);
  expect(shown.mrr).toBeGreaterThanOrEqual(0.897);
  expect(shown.rightAboveFloor).toBeGreaterThanOrEqual(0.88);
  expect(shown.wrongAboveFloor).toBeLessThanOrEqual(0.12);
  const alternatives = measureQuality(documents, documents, { floor: ALTERNATIVE_FLOOR, omitsBelow: false });
  expect(alternatives.recallAt5).toBeGreaterThanOrEqual(0.8);
  expect(alternatives.rightAboveFloor).toBeGreaterThanOrEqual(0.9);
  expect(alternatives.wrongAboveFloor).toBeLessThanOrEqual(0.07);
});
