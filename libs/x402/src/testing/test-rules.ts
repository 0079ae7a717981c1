import { inspect } from 'node:util';
import { expect, test } from 'vitest';
import { getCheck, listFailures } from './fixtures.ts';
import type { Challenge, CheckAxis, CheckSeverity } from '../types.ts';
import type { Rule } from '../rules/rule.ts';

/** Expected result of a check. A failure names its axis only if this axis differs from the axis of the rule. */
type CaseResult = 'pass' | 'skip' | CheckSeverity | `${CheckSeverity} on ${CheckAxis}`;

/** Examples by rule id and expected result. */
type RuleCases<Example> = Readonly<Record<string, Readonly<Partial<Record<CaseResult, readonly Example[]>>>>>;

interface RuleTests<Example> {
  readonly rules: readonly Rule[];
  readonly cases: RuleCases<Example>;
  readonly read: (example: Example) => Challenge;
  /**
   * For the id of a rule: ids of the rules that may fail in the same example. Without an entry, a rule must fail alone.
   */
  readonly overlaps?: Readonly<Record<string, readonly string[]>>;
}

/**
 * Defines one test for each rule. Every rule needs an example that passes, and an example that fails with the severity
 * and axis of the rule. An example that fails violates no other rule of the list, except the rules in `overlaps`.
 */
export function testRules<Example>({ rules, cases, read, overlaps = {} }: RuleTests<Example>): void {
  const ids = new Set(rules.map(({ id }) => id));

  test('every case belongs to a rule', () => {
    expect(Object.keys(cases).filter((id) => !ids.has(id))).toEqual([]);
  });

  test.each(rules)('$id', (rule) => {
    const examples = cases[rule.id] ?? {};
    expect(Object.keys(examples)).toEqual(expect.arrayContaining(['pass', rule.level[1]]));
    for (const [expected, list] of Object.entries(examples)) {
      for (const [index, example] of list.entries()) {
        const challenge = read(example);
        const label = `Example ${String(index)} of "${expected}": ${inspect(example, { depth: 5 }).slice(0, 300)}`;
        expect(describeCheck(challenge, rule), label).toBe(expected);
        if (expected === 'pass' || expected === 'skip') continue;
        const known = [rule.id, ...(overlaps[rule.id] ?? [])];
        const others = listFailures(challenge).filter((id) => ids.has(id) && !known.includes(id));
        expect(others, label).toEqual([]);
      }
    }
  });
}

function describeCheck(challenge: Challenge, rule: Rule): string {
  const { result, severity, axis } = getCheck(challenge, rule.id);
  if (result !== 'fail') return result;
  return axis === rule.level[0] ? severity : `${severity} on ${axis}`;
}
