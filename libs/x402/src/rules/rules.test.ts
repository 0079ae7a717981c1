import { describe, expect, test } from 'vitest';
import { BAZAAR_CASES } from './testing/bazaar-cases.ts';
import { EXTENSION_CASES } from './testing/extension-cases.ts';
import { HTTP_CASES } from './testing/http-cases.ts';
import { LISTING_CASES } from './testing/listing-cases.ts';
import { MIXED_CASES } from './testing/mixed-cases.ts';
import { V2_RESOURCE_CASES } from './testing/v2-resource-cases.ts';
import { V1_CASES } from './testing/v1-cases.ts';
import { V2_HEADER_CASES } from './testing/v2-header-cases.ts';
import { V2_ASSET_PAYEE_CASES } from './testing/v2-asset-payee-cases.ts';
import { V2_OPTION_CASES } from './testing/v2-option-cases.ts';
import { readChallenge, readFailedRequest } from '../challenge/read-challenge.ts';
import type { RuleCases, RuleExample } from './testing/rule-case.ts';
import { RULES } from './rules.ts';
import { getCheck, dualResponse, listFailures, v1Response, v2Response } from '../testing/fixtures.ts';

const CASES: RuleCases = {
  ...HTTP_CASES,
  ...V2_HEADER_CASES,
  ...V2_RESOURCE_CASES,
  ...V2_OPTION_CASES,
  ...V2_ASSET_PAYEE_CASES,
  ...EXTENSION_CASES,
  ...BAZAAR_CASES,
  ...V1_CASES,
  ...MIXED_CASES,
  ...LISTING_CASES,
};

const REACHABLE_ID = 'http-reachable';

function resultOf({ response, context }: RuleExample, id: string): string {
  return getCheck(readChallenge(response, context), id).result;
}

/** Rules with example responses. A separate test covers the rule that fails when there is no response. */
const rulesWithCases = RULES.filter(({ id }) => id !== REACHABLE_ID);

describe.each(rulesWithCases.map((rule) => [rule.id, rule] as const))('%s', (id, rule) => {
  const cases = CASES[id];

  test('passes, fails and is skipped for hand-written responses', () => {
    if (cases === undefined) throw new Error(`There are no cases for ${id}`);
    expect(resultOf(cases.pass, id)).toBe('pass');
    const { response, context } = cases.fail;
    expect(getCheck(readChallenge(response, context), id)).toMatchObject({
      result: 'fail',
      severity: rule.severity,
      axis: rule.axis,
    });
    if (cases.skip !== undefined) expect(resultOf(cases.skip, id)).toBe('skip');
  });
});

test('http-reachable fails without a response and passes with any response', () => {
  const challenge = readFailedRequest('https://api.example.com/', 'the name does not resolve');
  expect(getCheck(challenge, REACHABLE_ID)).toMatchObject({ result: 'fail', severity: 'error' });
  expect(getCheck(challenge, REACHABLE_ID).message).toContain('the name does not resolve');
  expect(challenge).toMatchObject({ verdict: 'unpayable', version: null, options: [] });
  expect(resultOf({ response: v2Response() }, REACHABLE_ID)).toBe('pass');
});

test.each(RULES.map((rule) => [rule.id, rule] as const))(
  '%s has a requirement and a fix in full sentences',
  (_, rule) => {
    for (const text of [rule.requirement, rule.fix]) {
      expect(text).toMatch(/[.]$/);
      expect(text.length).toBeLessThan(220);
    }
  },
);

test('every rule has a unique id, and every case has a rule', () => {
  const ids = RULES.map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
  expect(Object.keys(CASES).filter((id) => !ids.includes(id))).toEqual([]);
});

test('correct responses have no errors and only the expected warnings', () => {
  const faults = [v2Response(), v1Response(), dualResponse()].map((response) =>
    listFailures(readChallenge(response)),
  );
  // The challenges lack only data for discovery directories: discovery extension, version 2 header and output schema.
  expect(faults).toEqual([['bazaar-present'], ['v2-header-present', 'v1-output-schema'], ['bazaar-present']]);
});
