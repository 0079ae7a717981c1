import { plainJson } from '../plain.ts';
import type { Judged } from './judged.ts';

/**
 * One line of `--json`. `checks` holds the rules that were judged, `skipped` the ids of those that did not apply, so
 * that none of them reads as passed or failed. Amounts are decimal strings of atomic units.
 */
export function toJson({ url, method, status, notes, challenge }: Judged): string {
  const { version, payable, refusals, verdict, options, dialects, checks } = challenge;
  return plainJson({
    url,
    method,
    status,
    notes,
    version,
    payable,
    refusals,
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
