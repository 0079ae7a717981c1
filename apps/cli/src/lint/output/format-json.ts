import { toPlainJson } from '../../terminal/plain-text.ts';
import type { LintResult } from '../lint-result.ts';

/**
 * Formats a result as one line of `--json`. `checks` contains only the rules that applied; `skipped` contains the ids
 * of the other rules. Amounts are decimal strings of atomic units.
 */
export function formatJson({ url, method, status, notes, challenge }: LintResult): string {
  const { version, payable, refusals, settles, settlementFailures, verdict } = challenge;
  const { options, dialects, checks } = challenge;
  return toPlainJson({
    url,
    method,
    status,
    notes,
    version,
    payable,
    refusals,
    settles,
    settlementFailures,
    verdict,
    options: options.map((option) => ({ ...option, amount: option.amount?.toString() ?? null })),
    dialects,
    checks: checks
      .filter(({ result }) => result !== 'skip')
      .map(({ id, axis, severity, result, message, fix, reference }) => ({
        id,
        axis,
        severity,
        pass: result === 'pass',
        message,
        fix: result === 'pass' ? null : fix,
        reference,
      })),
    skipped: checks.filter(({ result }) => result === 'skip').map(({ id }) => id),
  });
}
