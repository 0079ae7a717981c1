import type { Guard } from '@touchstone/guard';
import { findPlaceholders } from '../lint/placeholder-note.ts';
import type { LintResult } from '../lint/lint-result.ts';
import { checkOptions, explainNoOptions, selectOptions } from './check-options.ts';
import { toGuardResult, type GuardResult } from './guard-result.ts';
import { readServiceSummary, type TrustedService } from './service-summary.ts';

export interface EndpointCheck {
  readonly url: URL;
  readonly guard: Guard;
  readonly service: TrustedService;
  /** Requests the payment terms of the endpoint. */
  readonly request: () => Promise<LintResult>;
  /** Only network whose payment options are checked; undefined for all. */
  readonly network: string | undefined;
}

/**
 * Decides on the payment options of an endpoint, and reads what the service has observed.
 *
 * @throws CliError if the endpoint could not be requested, or its options could not be selected
 */
export async function checkEndpoint({
  url,
  guard,
  service,
  request,
  network,
}: EndpointCheck): Promise<GuardResult> {
  const undecided = { url: url.href, options: [], obstacle: null, action: null };
  const placeholders = findPlaceholders(url.href);
  if (placeholders.length > 0) {
    const statement = await readServiceSummary(url.href, service);
    return { ...undecided, response: null, problem: explainPlaceholders(placeholders), statement };
  }
  const response = await request();
  const selected = selectOptions(response, network);
  const [options, statement] = await Promise.all([
    checkOptions(response, selected, guard),
    readServiceSummary(response.url, service),
  ]);
  if (options.length === 0) return { ...undecided, response, problem: explainNoOptions(response), statement };
  return toGuardResult({ response, options, statement });
}

function explainPlaceholders(names: readonly string[]): string {
  const [placeholders, each] = names.length === 1 ? ['placeholder', 'it'] : ['placeholders', 'each of them'];
  return `The URL contains the ${placeholders} ${names.join(', ')}. Replace ${each} with a value that you would pay for, and run the command again.`;
}
