import type { Rule, Subject } from './rule.ts';
import { RULES } from './rules.ts';
import type { Challenge, Check, ComplianceVerdict } from './types.ts';

/** The one rule that says all about an answer which is no challenge and holds no envelope. */
const STATUS_RULE = 'http-status-402';

/** Runs every rule over one answer; the result has one check for each, in the order of the table. */
export function runChecks(subject: Subject): Check[] {
  const isChallenge = subject.status === 402 || subject.header.state === 'read' || subject.v1 !== null;
  return RULES.map((rule) =>
    isChallenge || rule.id === STATUS_RULE ? runRule(rule, subject) : skipped(rule),
  );
}

function runRule(rule: Rule, subject: Subject): Check {
  const { id, axis, severity, holds } = rule;
  const outcome = rule.check(subject);
  if (outcome === 'skip') return skipped(rule);
  if (outcome === 'pass') return { id, axis, severity, result: 'pass', message: holds };
  return {
    id,
    axis: outcome.axis ?? axis,
    severity: outcome.severity ?? severity,
    result: 'fail',
    message: outcome.message,
  };
}

function skipped({ id, axis, severity, holds }: Rule): Check {
  return { id, axis, severity, result: 'skip', message: holds };
}

/**
 * One word for all checks. Only what keeps a buyer from paying makes errors; hygiene makes warnings at most,
 * and what directories want to see lowers nothing.
 */
export function verdictOf(checks: readonly Check[], payable: Challenge['payable']): ComplianceVerdict {
  if (!payable.v1 && !payable.v2) return 'unpayable';
  const failed = checks.filter(
    ({ result, axis, severity }) => result === 'fail' && axis !== 'discoverable' && severity !== 'info',
  );
  if (failed.some(({ axis, severity }) => axis === 'payable' && severity === 'error')) return 'errors';
  return failed.length > 0 ? 'warnings' : 'pass';
}
