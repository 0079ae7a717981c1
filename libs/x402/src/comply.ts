import type { Failure, Rule, Subject } from './rule.ts';
import { RULES } from './rules.ts';
import { describeReference } from './sources.ts';
import type { Challenge, Check, ComplianceVerdict } from './types.ts';

const REFERENCES = new Map(RULES.map(({ id, reference }) => [id, describeReference(reference)]));

/** Runs every rule over one answer; the result has one check for each, in the order of the table. */
export function runChecks(subject: Subject): Check[] {
  const isChallenge = subject.status === 402 || subject.header.state === 'read' || subject.v1 !== null;
  return RULES.map((rule) =>
    isChallenge || rule.always === true ? runRule(rule, subject) : skipped(rule),
  );
}

function runRule(rule: Rule, subject: Subject): Check {
  const outcome = rule.check(subject);
  if (outcome === 'skip') return skipped(rule);
  if (outcome === 'pass') return toCheck(rule, 'pass', { message: rule.holds });
  return toCheck(rule, 'fail', outcome);
}

function skipped(rule: Rule): Check {
  return toCheck(rule, 'skip', { message: rule.holds });
}

function toCheck(rule: Rule, result: Check['result'], finding: Failure): Check {
  return {
    id: rule.id,
    axis: finding.axis ?? rule.axis,
    severity: finding.severity ?? rule.severity,
    result,
    message: finding.message,
    fix: rule.fix,
    reference: REFERENCES.get(rule.id) ?? '',
  };
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
