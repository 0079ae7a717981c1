import { z } from 'zod';
import { unwrap, type Db } from './client.ts';
import { scoreInputsSchema } from './score-inputs.ts';
import { payOnSchema } from './snapshot.ts';
import { timeSchema } from './time.ts';

/** What was settled with one wallet in 30 days; null where it was not read. */
const paidWalletSchema = z.object({
  payTo: z.string(),
  network: z.string(),
  volumeUsd30d: z.number().nullable(),
  settlements30d: z.number().nullable(),
  payers30d: z.number().nullable(),
  topPayerShare: z.number().nullable(),
  lastSettledAt: z.number().nullable(),
  throughBlock: z.number().nullable(),
});

/** Figures of a report that the formula does not read, of the time of its score. */
const reportFiguresSchema = z.object({
  /** Milliseconds; null where nothing was timed. */
  latencyMsP99: z.number().nullable(),
  latencyMsMean: z.number().nullable(),
  lowestPriceUsd: z.string().nullable(),
  highestPriceUsd: z.string().nullable(),
  /** Milliseconds since the epoch: the latest probe, and when the terms were last seen. */
  lastProbedAt: z.number().nullable(),
  termsAt: z.number().nullable(),
  challengeHash: z.string().nullable(),
  settlement: z
    .object({
      payTo: z.string(),
      network: z.string(),
      settlements30d: z.number().nullable(),
      lastSettledAt: z.number().nullable(),
      throughBlock: z.number().nullable(),
      /** Every wallet that it advertises, where that is more than one. */
      wallets: z.array(paidWalletSchema),
    })
    .nullable(),
});
export type ReportFigures = z.infer<typeof reportFiguresSchema>;

/** What is kept of a challenge beside the options: which rules applied, and what was amiss. */
const challengeSchema = z.object({
  version: z.union([z.literal(1), z.literal(2)]).nullable(),
  payable: z.object({ v1: z.boolean(), v2: z.boolean() }),
  passed: z.array(z.string()),
  failed: z.array(
    z.object({ id: z.string(), severity: z.enum(['error', 'warning', 'info']), message: z.string() }),
  ),
});

export const reportSourceSchema = z.object({
  endpoint: z.object({
    id: z.string(),
    resource: z.string(),
    slug: z.string(),
    templated: z.boolean(),
    serviceName: z.string().nullable(),
    description: z.string().nullable(),
    listingStatus: z.enum(['listed', 'delisted']),
    firstSeenAt: timeSchema,
    delistedAt: timeSchema.nullable(),
  }),
  payOn: z.array(payOnSchema),
  computedAt: timeSchema,
  inputs: scoreInputsSchema,
  facts: reportFiguresSchema,
  /** The latest when it was scored; null where it is not stored (yet). */
  challenge: challengeSchema.nullable(),
  /** Resources on other hosts that are paid at the same wallet, the first twenty. */
  sharedWith: z.array(z.string()),
});

/** Everything a report of an endpoint is assembled from. Times are milliseconds since the epoch. */
export type ReportSource = z.infer<typeof reportSourceSchema>;

/** The sources of reports by endpoint id; what is not public or was never scored is not in it. */
export async function readReportSources(
  db: Db,
  endpointIds: readonly string[],
): Promise<ReadonlyMap<string, ReportSource>> {
  const answer = await db.rpc('report_sources', { p_endpoint_ids: [...endpointIds] });
  const rows = z
    .array(z.object({ endpoint_id: z.string(), source: reportSourceSchema }))
    .parse(unwrap('read the sources of reports', answer));
  return new Map(rows.map(({ endpoint_id, source }) => [endpoint_id, source]));
}

const rankSchema = z.object({
  role: z.enum(['best', 'median', 'worst']),
  endpoint_id: z.string(),
  rank: z.number().int(),
  population: z.number().int(),
});

export interface SampleRanks {
  /** Graded, listed endpoints. */
  readonly population: number;
  readonly samples: readonly {
    readonly role: 'best' | 'median' | 'worst';
    readonly endpointId: string;
    /** From 1, the best. */
    readonly rank: number;
  }[];
}

/** The best, the median and the worst of the graded, listed endpoints; none where there are none. */
export async function readSampleRanks(db: Db): Promise<SampleRanks> {
  const rows = z.array(rankSchema).parse(unwrap('read the sample', await db.rpc('sample_ranks')));
  return {
    population: rows[0]?.population ?? 0,
    samples: rows.map(({ role, endpoint_id, rank }) => ({ role, endpointId: endpoint_id, rank })),
  };
}
