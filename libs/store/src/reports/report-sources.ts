import { CHECK_AXES } from '@touchstone/contract';
import { z } from 'zod';
import { unwrap, type Db } from '../client/client.ts';
import { causesSchema } from '../scoring/failure.ts';
import { scoreInputsSchema } from '../scoring/score-inputs.ts';
import { LISTING_SOURCES, payOnSchema } from '../snapshots/snapshot.ts';
import { timestampSchema } from '../client/timestamps.ts';

/** Schema of the settlements of one wallet in 30 days. A figure that was not measured is null. */
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

/**
 * Schema of figures that the report shows and the scoring formula does not use. They were computed with the score.
 */
const reportFiguresSchema = z.object({
  /** Time to the first byte in milliseconds; null if not measured. */
  firstByteMsP50: z.number().nullable(),
  firstByteMsP95: z.number().nullable(),
  /** Time to the last byte of the response in milliseconds; null if not measured. */
  responseMsP99: z.number().nullable(),
  responseMsMean: z.number().nullable(),
  lowestPriceUsd: z.string().nullable(),
  highestPriceUsd: z.string().nullable(),
  /** Times of the latest probe and of the latest payment terms, in milliseconds since the epoch. */
  lastProbedAt: z.number().nullable(),
  termsAt: z.number().nullable(),
  challengeHash: z.string().nullable(),
  /** Time of the latest challenge with a compliance verdict, in milliseconds since the epoch. */
  complianceAt: z.number().nullable(),
  /** Numbers of failed probes of the last 30 days by cause. */
  causes30d: causesSchema,
  settlement: z
    .object({
      payTo: z.string(),
      network: z.string(),
      settlements30d: z.number().nullable(),
      lastSettledAt: z.number().nullable(),
      throughBlock: z.number().nullable(),
      /** All advertised wallets if the endpoint advertises several wallets; otherwise empty. */
      wallets: z.array(paidWalletSchema),
    })
    .nullable(),
});
export type ReportFigures = z.infer<typeof reportFiguresSchema>;

/** Schema of the compliance result of a challenge: the passed rules and the failed rules. */
const challengeSchema = z.object({
  version: z.union([z.literal(1), z.literal(2)]).nullable(),
  payable: z.object({ v1: z.boolean(), v2: z.boolean() }),
  /** Reasons why the reference clients would sign no payment; null for a client that would sign. */
  refusals: z.object({ v1: z.string().nullable(), v2: z.string().nullable() }).nullable().default(null),
  /**
   * For each client, true if it would sign a payment and nothing shows that this payment would fail or be lost. Null in
   * a challenge that was stored before this was checked; the same applies to the reasons of such failures.
   */
  settles: z.object({ v1: z.boolean(), v2: z.boolean() }).nullable().default(null),
  settlementFailures: z
    .object({ v1: z.string().nullable(), v2: z.string().nullable() })
    .nullable()
    .default(null),
  passed: z.array(z.string()),
  failed: z.array(
    z.object({
      id: z.string(),
      axis: z.enum(CHECK_AXES),
      severity: z.enum(['error', 'warning', 'info']),
      message: z.string(),
    }),
  ),
});

/** Schema of the data from which a report is assembled. Times are milliseconds since the epoch. */
export const reportSourceSchema = z.object({
  endpoint: z.object({
    id: z.string(),
    resource: z.string(),
    slug: z.string(),
    templated: z.boolean(),
    serviceName: z.string().nullable(),
    description: z.string().nullable(),
    listingStatus: z.enum(['listed', 'delisted']),
    firstSeenAt: timestampSchema,
    delistedAt: timestampSchema.nullable(),
    /** `directory` if a directory lists the endpoint or listed it before; `adopted` if only a paid report added it. */
    source: z.enum(LISTING_SOURCES),
  }),
  payOn: z.array(payOnSchema),
  computedAt: timestampSchema,
  inputs: scoreInputsSchema,
  facts: reportFiguresSchema,
  /** Compliance result of the latest challenge at the time of the score; null if that challenge is not stored. */
  challenge: challengeSchema.nullable(),
  /** URLs of at most 20 resources on other hosts that advertise the same wallet. */
  sharedWith: z.array(z.string()),
});

export type ReportSource = z.infer<typeof reportSourceSchema>;

/** Returns the stored data of reports by endpoint id. Endpoints that are not public or have no score are left out. */
export async function readReportSources(
  db: Db,
  endpointIds: readonly string[],
): Promise<ReadonlyMap<string, ReportSource>> {
  const response = await db.rpc('report_sources', { p_endpoint_ids: [...endpointIds] });
  const rows = z
    .array(z.object({ endpoint_id: z.string(), source: reportSourceSchema }))
    .parse(unwrap('read the data of reports', response));
  return new Map(rows.map(({ endpoint_id, source }) => [endpoint_id, source]));
}

const rankSchema = z.object({
  role: z.enum(['best', 'median', 'worst']),
  endpoint_id: z.string(),
  rank: z.number().int(),
  population: z.number().int(),
  is_confident: z.boolean(),
});

export interface SampleRanks {
  /** Number of graded endpoints that a directory lists. */
  readonly population: number;
  /** True if only endpoints with a confidence of at least 0.3 are counted; false if there are fewer than three. */
  readonly isConfident: boolean;
  readonly samples: readonly {
    readonly role: 'best' | 'median' | 'worst';
    readonly endpointId: string;
    /** Rank by the lower bound of the score range, then by score; 1 is the best. */
    readonly rank: number;
  }[];
}

/**
 * Returns the best, the median and the worst of the graded endpoints that a directory lists, with their ranks.
 * `samples` is empty if there are no such endpoints.
 */
export async function readSampleRanks(db: Db): Promise<SampleRanks> {
  const rows = z.array(rankSchema).parse(unwrap('read the sample endpoints', await db.rpc('sample_ranks')));
  return {
    population: rows[0]?.population ?? 0,
    isConfident: rows[0]?.is_confident ?? false,
    samples: rows.map(({ role, endpoint_id, rank }) => ({ role, endpointId: endpoint_id, rank })),
  };
}
