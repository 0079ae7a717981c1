import type { Rule, Subject } from './rule.ts';
import { RULES } from './rules.ts';
import { describeReference } from './sources.ts';
import type { Challenge, Check } from '../types.ts';

/** A rule with the checks it comes to most often, which are the same for every answer. */
interface Row {
  readonly rule: Rule;
  readonly reference: string;
  readonly passed: Check;
  readonly skipped: Check;
}

const ROWS: readonly Row[] = RULES.map((rule) => {
  const { id, axis, severity, holds: message, fix } = rule;
  const reference = describeReference(rule.reference);
  const check = { id, axis, severity, message, fix, reference };
  return {
    rule,
    reference,
    passed: Object.freeze({ ...check, result: 'pass' }),
    skipped: Object.freeze({ ...check, result: 'skip' }),
  };
});

/** Runs every rule over one answer; the result has one check for each, in the order of the table. */
export function runChecks(subject: Subject): Check[] {
  const isChallenge = subject.status === 402 || subject.header.state === 'read' || subject.v1 !== null;
  return ROWS.map((row) => (isChallenge || row.rule.always === true ? runRule(row, subject) : row.skipped));
}

function runRule({ rule, reference, passed, skipped }: Row, subject: Subject): Check {
  const outcome = rule.check(subject);
  if (outcome === 'skip') return skipped;
  if (outcome === 'pass') return passed;
  return {
    id: rule.id,
    axis: outcome.axis ?? rule.axis,
    severity: outcome.severity ?? rule.severity,
    result: 'fail',
    message: outcome.message,
    fix: rule.fix,
    reference,
  };
}

/**
 * One word for all checks. Only what keeps a buyer from paying makes errors; hygiene makes warnings at most,
 * and what directories want to see lowers nothing.
 */
export function verdictOf(checks: readonly Check[], payable: Challenge['payable']): Challenge['verdict'] {
  if (!payable.v1 && !payable.v2) return isUndetermined(checks) ? 'undetermined' : 'unpayable';
  const failed = checks.filter(
    ({ result, axis, severity }) => result === 'fail' && axis !== 'discoverable' && severity !== 'info',
  );
  if (failed.some(({ axis, severity }) => axis === 'payable' && severity === 'error')) return 'errors';
  return failed.length > 0 ? 'warnings' : 'pass';
}

/** An answer came, and by its status it says nothing about whether the endpoint asks for payment. */
function isUndetermined(checks: readonly Check[]): boolean {
  const resultOf = (id: string): Check['result'] | undefined =>
    checks.find((check) => check.id === id)?.result;
  return resultOf('http-reachable') === 'pass' && resultOf('http-status-402') === 'skip';
}
