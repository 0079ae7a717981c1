import { parseJson } from '@touchstone/common';
import { TEXT_LIMITS } from '@touchstone/contract/shared/values';
import { readDeclaredExchange, type ChallengeResponse, validateInfo } from '@touchstone/x402';

/** Maximum length of a body that is compared with a schema, in UTF-16 units. */
const MAX_COMPARED_LENGTH = 65_536;
const JSON_TYPE = /^application\/([a-z0-9.+-]+\+)?json\b/i;

/** Body of a complete response, as text. */
export interface ReceivedBody {
  readonly contentType: string | null;
  readonly body: string;
}

/**
 * Finds the differences between the body of a complete response and the output schema that the challenge declares. The
 * schema is untrusted and is evaluated with limits. A schema that exceeds the limits, or that the declared example
 * violates, is not used: a body that nobody can judge is no fault of the seller.
 *
 * @param challenged response with the challenge that was paid
 * @returns sentences; an empty list for a body that matches; null if the body was not compared
 */
export function findBodyFaults(
  challenged: Pick<ChallengeResponse, 'headers' | 'body' | 'bodyEnd'>,
  { contentType, body }: ReceivedBody,
): readonly string[] | null {
  const { outputSchema, outputExample } = readDeclaredExchange(challenged);
  if (outputSchema === null || body === '' || body.length > MAX_COMPARED_LENGTH) return null;
  if (outputExample !== undefined && validateInfo(outputExample, outputSchema) !== 'valid') return null;
  const json = parseJson(body);
  if (json === undefined)
    return JSON_TYPE.test(contentType ?? '') ? ['The content type is JSON, but the body is not JSON.'] : null;
  const result = validateInfo(json, outputSchema);
  if (result === 'valid') return [];
  if ('skipReason' in result) return null;
  return [`The body differs from the declared schema at ${result.fault}`.slice(0, TEXT_LIMITS.failure)];
}
