import { toPlainJson } from '../terminal/plain-text.ts';
import type { GuardResult } from './guard-result.ts';

/** Formats the result as one line of `--json`. `action` is null without a decision, and `problem` is the reason. */
export function formatJson({
  url,
  response,
  options,
  obstacle,
  action,
  problem,
  statement,
}: GuardResult): string {
  return toPlainJson({
    url,
    method: response?.method ?? null,
    status: response?.status ?? null,
    action,
    problem,
    obstacle,
    notes: response?.notes ?? [],
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
    statement,
  });
}
