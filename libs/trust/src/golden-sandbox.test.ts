import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { NOW } from './test-fixtures.ts';
import { expectVerdict } from './testing/expectation.ts';
import { inputsOf, STORIES } from './testing/sandbox-stories.ts';

test.each(Object.entries(STORIES))('%s', (_, story) => {
  expectVerdict(inputsOf(story, NOW), story);
});

test('no story of the sandbox is missing', () => {
  // The sandbox checks the shape of its scenario itself when it starts.
  const scenario = JSON.parse(
    readFileSync(new URL('../../../apps/sandbox/scenario.json', import.meta.url), 'utf8'),
  ) as { endpoints: { story: string }[] };
  const stories = new Set(scenario.endpoints.map(({ story }) => story));
  expect(Object.keys(STORIES).sort()).toEqual([...stories].sort());
});
