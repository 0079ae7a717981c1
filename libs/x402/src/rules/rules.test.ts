import { expect, test } from 'vitest';
import { readChallenge } from '../read-challenge.ts';
import { RULES } from './rules.ts';
import { dualResponse, getCheck, listFailures, v1Response, v2Response } from '../testing/fixtures.ts';

test('every rule has a unique id, and a requirement and a fix in full sentences', () => {
  expect(new Set(RULES.map(({ id }) => id)).size).toBe(RULES.length);
  for (const text of RULES.flatMap(({ requirement, fix }) => [requirement, fix])) {
    expect(text).toMatch(/^.{1,218}[.]$/);
  }
});

test('correct responses have no errors and only the expected warnings', () => {
  const faults = [v2Response(), v1Response(), dualResponse()].map((response) =>
    listFailures(readChallenge(response)),
  );
  // The challenges lack only data for discovery directories: discovery extension, version 2 header and output schema.
  expect(faults).toEqual([['bazaar-present'], ['v2-header-present', 'v1-output-schema'], ['bazaar-present']]);
});

test.each([
  ['v1-', v2Response(), []],
  ['v2-', v1Response(), ['v2-header-present']],
])('rules %s are skipped without an envelope of their version', (prefix, response, exceptions) => {
  const challenge = readChallenge(response);
  const ids = RULES.map(({ id }) => id).filter((id) => id.startsWith(prefix));
  expect(ids.length).toBeGreaterThan(10);
  expect(ids.filter((id) => getCheck(challenge, id).result !== 'skip')).toEqual(exceptions);
});
