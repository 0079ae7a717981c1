import { expect, it } from 'vitest';
import { hasMoreValues } from './json.ts';

it.each([
  ['1', 1],
  ['[]', 1],
  ['[1,"a",null]', 4],
  ['{"a":{"b":[true,{}]}}', 5],
  [`${'['.repeat(5_000)}${']'.repeat(5_000)}`, 5_000],
])('%.30s has %i values', (text, count) => {
  const json: unknown = JSON.parse(text);
  expect([hasMoreValues(json, count - 1), hasMoreValues(json, count)]).toEqual([true, false]);
});
