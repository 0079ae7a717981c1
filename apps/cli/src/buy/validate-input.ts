import { formatIssue } from '@touchstone/contract';
import type { z } from 'zod';
import { CliError } from '../cli-error.ts';
import { toPlainText } from '../terminal/plain-text.ts';

/**
 * Validates a request body with the schema of the service before anything is paid.
 *
 * @throws CliError that describes the first mistake
 */
export function validateInput<T>(schema: z.ZodType<T>, input: unknown): T {
  const parsed = schema.safeParse(input);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const message = issue === undefined ? 'The request is not valid.' : formatIssue(issue, input);
  throw new CliError(toPlainText(message, 300));
}
