import { problemSchema } from '@touchstone/contract';
import { readChallenge } from '../buy/quote/read-quote.ts';
import { parseOrNull } from '../buy/service/parse-response.ts';
import { describeProblem } from '../buy/service/read-problem.ts';
import type { ServiceResponse } from '../buy/service/send-request.ts';
import { CliError } from '../cli-error.ts';

/**
 * Converts a response of the service to the response from which a tool result is created. The response of the service is
 * untrusted: only a JSON object, a challenge and a problem document pass.
 *
 * @throws CliError for any other response
 */
export function toResponse({ status, headers, text }: ServiceResponse): Response {
  const value = parseOrNull(text);
  const isSuccess = status >= 200 && status < 300;
  if (isSuccess && !isJsonObject(value)) {
    throw new CliError(
      `The service returned ${String(status)} without a JSON object. It may not be a Touchstone service.`,
      { code: 'invalid-response' },
    );
  }
  if (status === 402) readChallenge(headers);
  if (!isSuccess && status !== 402 && !problemSchema.safeParse(value).success)
    throw new CliError(describeProblem({ status, text }), { code: 'invalid-response' });
  // A 204 response must not have a body, so every success is a 200.
  return new Response(text, { status: isSuccess ? 200 : status, headers });
}

function isJsonObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
