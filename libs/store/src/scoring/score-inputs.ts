import { CHANGE_KINDS, COMPLIANCE_VERDICTS } from '@touchstone/contract';
import type { ScoreInputs } from '@touchstone/trust';
import { z } from 'zod';

const count = z.number();
const ms = z.number();

/** Schema of the inputs from which a score was computed, as the scoring job stores them. */
export const scoreInputsSchema = z.object({
  now: ms,
  firstSeen: ms,
  listed: z.boolean(),
  templated: z.boolean(),
  description: z.string().nullable(),
  probes: z.object({
    total: count,
    scored: count,
    up: count,
    excluded: count,
    blocked: count,
    redirected: count,
  }),
  envelopes: z.object({ pass: count, warnings: count, errors: count, unpayable: count }),
  latency: z.object({ p50: z.number(), p95: z.number(), n: count }).nullable(),
  changes: z.array(z.object({ kind: z.enum(CHANGE_KINDS), at: ms })),
  everChallenged: z.boolean(),
  answeredFree: z.boolean(),
  lastProbedAt: ms.nullable(),
  downSince: ms.nullable(),
  watchedSince: ms.nullable(),
  lastChallengedAt: ms.nullable(),
  lastPayableAt: ms.nullable(),
  latestCompliance: z.enum(COMPLIANCE_VERDICTS).nullable(),
  advertised: z
    .object({
      amountUsd: z.string().nullable(),
      network: z.string(),
      payTo: z.string(),
      falseUsdc: z.boolean(),
      networkKnown: z.boolean(),
      protocolVersion: z.union([z.literal(1), z.literal(2)]).nullable(),
    })
    .nullable(),
  medianPriceUsd30d: z.string().nullable(),
  settlement: z
    .object({
      volumeUsd30d: z.number(),
      payers30d: count,
      topPayerShare: z.number(),
      partial: z.boolean().exactOptional(),
    })
    .nullable(),
  networksRead: z.number(),
  payToSharedWith: count.exactOptional(),
  lastChallenge: z
    .object({ resourceInfoMissing: z.boolean(), headerBodyMismatch: z.boolean() })
    .exactOptional(),
}) satisfies z.ZodType<ScoreInputs>;
