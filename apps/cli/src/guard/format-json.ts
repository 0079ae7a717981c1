import { toPlainJson } from '../terminal/plain-text.ts';
import type { GuardResult } from './guard-result.ts';

/** Formats the result as one line of `--json`. `action` is null without a decision. */
export function formatJson({ response, options, obstacle, action }: GuardResult): string {
  return toPlainJson({
    url: response.url,
    method: response.method,
    status: response.status,
    action,
    obstacle,
    notes: response.notes,
    options: options.map(({ option, decision }) => ({
      scheme: option.scheme,
      network: option.network,
      asset: option.asset,
      amount: option.amount?.toString() ?? null,
      amountUsd: option.amountUsd,
      payTo: option.payTo,
      action: decision.action,
      reasons: decision.reasons,
    })),
    // The statements on the options differ only in what they say on the recipient.
    statement: options.map(({ decision }) => decision.summary).find((summary) => summary !== null) ?? null,
  });
}
