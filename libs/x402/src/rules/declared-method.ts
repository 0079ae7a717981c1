import { z } from 'zod';
import type { Subject } from './rule.ts';

const METHODS = new Set(['GET', 'HEAD', 'DELETE', 'POST', 'PUT', 'PATCH']);

const Input = z.object({ input: z.object({ method: z.string() }) });
const Extensions = z.object({ bazaar: z.object({ info: Input }) });

/**
 * The HTTP method a seller says the endpoint takes: in the discovery extension, else in the output schema of a
 * version 1 option, else in the directory.
 *
 * @returns in capitals; null when none, or none of HTTP's, is declared
 */
export function declaredMethod({ v2, v1, listing }: Pick<Subject, 'v2' | 'v1' | 'listing'>): string | null {
  const declared = [
    Extensions.safeParse(v2?.fields.extensions).data?.bazaar.info.input.method,
    ...(v1?.entries ?? []).map((entry) => Input.safeParse(entry?.fields.outputSchema).data?.input.method),
    listing?.method ?? undefined,
  ];
  return (
    declared.map((method) => method?.trim().toUpperCase()).find((method) => METHODS.has(method ?? '')) ?? null
  );
}
