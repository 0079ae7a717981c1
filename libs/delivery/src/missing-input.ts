import { isJsonObject } from '@touchstone/common';
import { type ChallengeResponse, readDeclaredExchange } from '@touchstone/x402';
import type { PlannedRequest } from './plan-request.ts';

/**
 * Finds an input that the challenge declares and the request lacks. Such a request is not paid for: the seller would
 * refuse it for a reason that is ours.
 *
 * @returns name of the first such input; null without one
 */
export function findMissingInput(
  challenged: Pick<ChallengeResponse, 'headers' | 'body' | 'bodyEnd'>,
  { url, body }: PlannedRequest,
): string | null {
  const { needs } = readDeclaredExchange(challenged);
  const query = new URL(url).searchParams;
  const sent: unknown = body === null ? null : JSON.parse(body);
  const hasField = (name: string): boolean => isJsonObject(sent) && Object.hasOwn(sent, name);
  return (
    needs.headers[0] ??
    needs.query.find((name) => !query.has(name)) ??
    needs.body.find((name) => !hasField(name) && !query.has(name)) ??
    null
  );
}
