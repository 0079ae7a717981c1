import type { LookupFailure } from '../decision/decide.ts';
import { asObject, readText, type JsonObject } from '../json.ts';
import type { PublicKeyJwk } from './keys.ts';
import { readTime } from './summary.ts';
import { verifySignature } from './verify-signature.ts';

/** Maximum difference between the clocks of this machine and the service, in milliseconds. */
const MAX_CLOCK_DIFFERENCE_MS = 300_000;

export interface StatementRules {
  /** Required value of the member `schemaType`. */
  readonly schemaType: string;
  readonly keys: readonly PublicKeyJwk[];
  /** Current time in milliseconds since 1970. */
  readonly now: number;
  /** Maximum age, in milliseconds, without the difference between the clocks. */
  readonly maxAgeMs: number;
}

/** Verified document with the time until which it may be used, in milliseconds since 1970. */
export interface Statement {
  readonly document: JsonObject;
  readonly usableUntil: number;
}

/**
 * Verifies a document of the service: its signature, type, and age. The signature is verified first, so that every later
 * failure is a failure of the service and not of an attacker.
 */
export async function verifyStatement(
  value: unknown,
  { schemaType, keys, now, maxAgeMs }: StatementRules,
): Promise<Statement | LookupFailure> {
  const document = asObject(value);
  if (document === null) return { code: 'unreachable', message: 'The response is not a JSON object.' };
  const failure = await verifySignature(document, keys);
  if (failure !== null) return failure;
  if (readText(document, 'schemaType') !== schemaType) {
    return { code: 'wrong-statement', message: `The signed document is not of the type ${schemaType}.` };
  }
  const generatedAt = Date.parse(readTime(document, 'generatedAt') ?? '');
  const usableUntil = generatedAt + maxAgeMs + MAX_CLOCK_DIFFERENCE_MS;
  if (!(now <= usableUntil && generatedAt <= now + MAX_CLOCK_DIFFERENCE_MS)) {
    const message = 'The statement is too old, or dated in the future. Check the clock of this machine.';
    return { code: 'stale-statement', message };
  }
  return { document, usableUntil };
}
