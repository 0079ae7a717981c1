import { expect, test } from 'vitest';
import { readChallenge } from '../read-challenge.ts';
import { mutateResponse } from '../testing/mutate-response.ts';
import { createSeededRandom } from '../testing/seeded-random.ts';

const RUNS = 1_500;
/** Sentences about a facilitator or a buyer, whose verbs do not tell the severity. */
const OTHER_SUBJECTS = /Sellers reported that [^.]*\.|The buyer must [^.]*\./g;

/** Returns the words of a message without quoted values. */
function removeQuotes(message: string): string {
  return message.replaceAll(/"(?:[^"\\]|\\.)*"/g, '').replaceAll(OTHER_SUBJECTS, '');
}

test('errors say what must be, and other failures say what should be', () => {
  const random = createSeededRandom(2);
  const failures = Array.from({ length: RUNS }, () => readChallenge(mutateResponse(random)).checks).flatMap(
    (checks) => checks.filter(({ result }) => result === 'fail'),
  );
  const wrong = failures.filter(({ severity, message }) =>
    (severity === 'error' ? /\bshould\b/ : /\b(?:must|refuses?|rejects?)\b/).test(removeQuotes(message)),
  );
  expect(new Set(failures.map(({ id }) => id)).size).toBeGreaterThan(60);
  expect(wrong.map(({ id, severity, message }) => `${id} (${severity}): ${message}`)).toEqual([]);
});
