import { CHANGE_KINDS, COMPLIANCE_VERDICTS } from '@touchstone/contract';
import type { ScoreInputs } from '@touchstone/trust';
import { z } from 'zod';
import { failureMsSchema } from './failure.ts';

const count = z.number();
const ms = z.number();

const envelopesSchema = z.object({ pass: count, warnings: count, errors: count, unpayable: count });

/** Schema of the inputs from which a score was computed, as the scoring job stores them. */
export const scoreInputsSchema = z.object({
  now: ms,
  firstSeen: ms,
  listed: z.boolean(),
  delistedAt: ms.nullable(),
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
  envelopes: envelopesSchema,
  last24h: z.object({ scored: count, up: count, free: count, envelopes: envelopesSchema }),
  last7d: z.object({ scored: count, up: count }),
  latency: z.object({ p50: z.number(), p95: z.number(), n: count }).nullable(),
  changes: z.array(
    z.object({
      kind: z.enum(CHANGE_KINDS),
      at: ms,
      before: z.string().nullable(),
      after: z.string().nullable(),
    }),
  ),
  everChallenged: z.boolean(),
  answeredFree: z.boolean(),
  lastScoredAt: ms.nullable(),
  downSince: ms.nullable(),
  lastFailure: failureMsSchema.nullable(),
  watchedSince: ms.nullable(),
  lastChallengedAt: ms.nullable(),
  lastPayableAt: ms.nullable(),
  latestCompliance: z.enum(COMPLIANCE_VERDICTS).nullable(),
  advertised: z
    .object({
      amountUsd: z.string().nullable(),
      network: z.string(),
      asset: z.string().nullable(),
      payTo: z.string().nullable(),
      falseUsdc: z.boolean(),
      falseUsdcAsset: z.string().nullable(),
      networkKnown: z.boolean(),
      protocolVersion: z.union([z.literal(1), z.literal(2)]).nullable(),
    })
    .nullable(),
  medianPriceUsd30d: z.string().nullable(),
  settlement: z
    .object({
      volumeUsd30d: z.number(),
      payers30d: count,
      topPayerShare: z.number().nullable(),
      partial: z.boolean().exactOptional(),
    })
    .nullable(),
  networksRead: z.number().nullable(),
  payToSharedWith: count.exactOptional(),
  lastChallenge: z
    .object({
      resourceInfoMissing: z.boolean(),
      headerBodyMismatch: z.boolean(),
      notPayableReason: z.string().nullable(),
    })
    .exactOptional(),
}) satisfies z.ZodType<ScoreInputs>;
