import { createCode, createHeadline, createRepairFacts } from '@touchstone/check';
import type { Stack } from '@touchstone/x402';
import { toPlainJson } from '../terminal/text.ts';
import type { LintResult } from './lint-result.ts';

/**
 * Returns the repaired route of a result as code; null if code would repair nothing.
 *
 * @param stack stack of the code; true for the stack that the headers name
 */
export const createLintCode = (result: LintResult, stack: Stack | true) =>
  createCode(createRepairFacts(result), stack === true ? undefined : stack);

/**
 * Formats a result as one line of `--json`. `checks` contains only the rules that applied; `skipped` contains the ids
 * of the other rules. Amounts are decimal strings of atomic units. With `code`, the object also has the repaired route;
 * null without one.
 */
export function formatJson(result: LintResult, code?: Stack | true): string {
  const { url, redirects, method, status, notes, challenge } = result;
  const { outcome, text: headline, step } = createHeadline(result);
  const { version, payable, refusals, settles, settlementFailures, verdict } = challenge;
  const { clientSettings, neededSettings, options, dialects, checks } = challenge;
  return toPlainJson({
    ...{ outcome, headline, step },
    url,
    redirects,
    method,
    status,
    notes,
    version,
    payable,
    refusals,
    settles,
    settlementFailures,
    clientSettings,
    neededSettings,
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
    skipped: checks.filter((check) => check.result === 'skip').map(({ id }) => id),
    ...(code === undefined ? {} : { code: createLintCode(result, code) }),
  });
}
