import { z } from 'zod';
import { plain } from '../plain.ts';
import type { Answer } from './exchange.ts';

/** What of an error a buyer acts on (RFC 9457). Other members are left aside, so that newer services can add some. */
const problemSchema = z.object({
  code: z.string().max(64),
  title: z.string().optional(),
  detail: z.string().optional(),
  notCharged: z.boolean().optional(),
  errors: z.array(z.object({ path: z.string(), message: z.string() })).optional(),
});
export type ReceivedProblem = z.infer<typeof problemSchema>;

/** The error that an answer carries, or null where it carries none that can be read. */
export function readProblem({ text }: Pick<Answer, 'text'>): ReceivedProblem | null {
  try {
    return problemSchema.parse(JSON.parse(text));
  } catch {
    return null;
  }
}

/**
 * Whether an answer says that nothing was charged, in a problem or beside a new challenge. The word of the service is all
 * that there is for it, so nothing less counts.
 */
export function saysNotCharged({ text }: Pick<Answer, 'text'>): boolean {
  try {
    return z.object({ notCharged: z.literal(true) }).safeParse(JSON.parse(text)).success;
  } catch {
    return false;
  }
}

const MOST_ERRORS = 3;

/** What an error answer says, as one sentence in one line. */
export function problemWords({ status, text }: Pick<Answer, 'status' | 'text'>): string {
  const problem = readProblem({ text });
  if (problem === null) return `The service answered ${String(status)} and does not say why.`;
  const { code, title, detail, errors = [] } = problem;
  const told = sentence(plain(detail ?? title ?? 'without a word', 500));
  const mistakes = errors
    .slice(0, MOST_ERRORS)
    .map(({ path, message }) => ` ${sentence(plain(`${path}: ${message}`, 200))}`);
  return `The service answered ${String(status)} ${plain(code, 64)}: ${told}${mistakes.join('')}`;
}

function sentence(text: string): string {
  return /[.!?…]$/.test(text) ? text : `${text}.`;
}
