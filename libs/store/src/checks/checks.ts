import { DAY_MS, formatTimestamp } from '@touchstone/common';
import { checkSchema } from '@touchstone/contract/operations/check/response';
import { STACKS, type Stack } from '@touchstone/x402';
import { z } from 'zod';
import { call, type Db } from '../client/client.ts';

/** Time for which the result of a check is kept for its page, in milliseconds. */
export const KEPT_CHECK_MS = DAY_MS;
/**
 * Maximum number of kept results. At about 15 kB each, they take at most 75 MB. Then each new result replaces the oldest
 * one.
 */
const MAX_KEPT_CHECKS = 5_000;

const text = z.string();
const optionSchema = z.object({
  network: text,
  price: z.union([
    text,
    z.object({
      asset: text,
      amount: text,
      domain: z.object({ name: text, version: text }).nullable(),
    }),
  ]),
  payTo: text,
  maxTimeoutSeconds: z.number().nullable(),
  remarks: z.array(text),
});
/** Schema of a repaired route, from which the code of every stack is written. */
const repairSchema = z.object({
  route: z.object({
    method: text,
    url: text,
    description: text.nullable(),
    mimeType: text.nullable(),
    options: z.tuple([optionSchema], optionSchema),
    isForBrowsers: z.boolean(),
    remarks: z.array(text),
  }),
  repairs: z.array(text),
  recognizedStack: z.enum(Object.keys(STACKS) as [Stack, ...Stack[]]).nullable(),
});

const keptCheckSchema = z.object({
  /** Result of the check without its code. */
  check: checkSchema.omit({ code: true }),
  repair: repairSchema.nullable(),
});
/** Result of a check, and the repaired route from which its code is written. */
export type KeptCheck = z.infer<typeof keptCheckSchema>;

/** URL and method of a check as requested; the method is null if the check chose it. */
interface CheckKey {
  readonly resource: string;
  readonly method: string | null;
}

/** Stores the result of a check. The time of the check is a member of the result. */
export async function storeCheck(db: Db, { resource, method }: CheckKey, kept: KeptCheck): Promise<void> {
  await call(db, 'store_check', {
    resource,
    method: method ?? '',
    checkedAt: kept.check.checkedAt,
    result: keptCheckSchema.parse(kept),
    rowLimit: MAX_KEPT_CHECKS,
  });
}

/**
 * Returns the kept result of a check after a time in milliseconds since the epoch; null without one. A result that an
 * older version of this service stored in another form counts as none.
 */
export async function findCheck(
  db: Db,
  { resource, method }: CheckKey,
  after: number,
): Promise<KeptCheck | null> {
  const result = await call(db, 'find_check', {
    resource,
    method: method ?? '',
    after: formatTimestamp(after),
  });
  return keptCheckSchema.safeParse(result).data ?? null;
}

/**
 * Returns true if an endpoint must not be checked: it was removed on request, or the provider of its host opted out of
 * probing.
 */
export async function refusesChecks(
  db: Db,
  endpoint: { readonly endpointId: string; readonly host: string },
): Promise<boolean> {
  return call(db, 'refuses_checks', endpoint);
}
