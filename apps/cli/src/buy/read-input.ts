import type { z } from 'zod';
import { CliError } from '../cli-error.ts';
import { plain } from '../plain.ts';

/**
 * Holds what is about to be asked against the schema that the service will hold it against, before anything is paid.
 *
 * @throws CliError saying what is wrong
 */
export function readInput<T>(schema: z.ZodType<T>, input: unknown): T {
  const parsed = schema.safeParse(input);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new CliError(plain(`${issue?.path.join('.') ?? ''}: ${issue?.message ?? 'cannot be used'}`, 300));
}
