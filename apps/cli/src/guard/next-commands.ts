import { quote } from '../buy/similar-line.ts';
import { toPlainText } from '../terminal/plain-text.ts';
import type { GuardResult } from './guard-result.ts';
import type { ServiceSummary } from './service-summary.ts';

type Endpoint = NonNullable<ServiceSummary['endpoint']>;

/**
 * Formats commands that help after a decision other than to pay: the reasons for the grade, and better endpoints.
 *
 * @param serviceArguments options that select the same service
 */
export function formatNextCommands({ action, statement }: GuardResult, serviceArguments: string): string[] {
  const endpoint = statement?.endpoint ?? null;
  if (action === 'pay' || endpoint === null) return [];
  const target = [quote(toPlainText(endpoint.resource)), serviceArguments].join(' ').trimEnd();
  return [
    'Next',
    `  touchstone buy trust ${target}`,
    '    for the findings on this endpoint',
    ...(needsAlternative(endpoint, action)
      ? [`  touchstone similar ${target}`, '    for better endpoints with the same purpose']
      : []),
  ];
}

/** Returns true unless the endpoint is good, or Touchstone has counted no better one. */
function needsAlternative(
  { recommendation, betterAlternatives }: Endpoint,
  action: GuardResult['action'],
): boolean {
  if (betterAlternatives === 0) return false;
  return action === 'abort' || recommendation === 'avoid' || recommendation === 'caution';
}
