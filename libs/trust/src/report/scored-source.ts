import { CHECK_AXES, TEXT_LIMITS, type TrustReport } from '@touchstone/contract';
import { cleanText } from '@touchstone/x402';
import { z } from 'zod';
import { normalizeUsd, toAtomicAmount, toDisplayText } from '../report-values.ts';
import { scoreInputsSchema } from '../types.ts';

/** Schema of a payment option that an endpoint advertises. */
export const payOnSchema = z.object({
  scheme: z.string(),
  network: z.string(),
  asset: z.string(),
  assetSymbol: z.string().nullable(),
  decimals: z.number().int().nullable(),
  /** Price in atomic units as a decimal string; null when the advertised amount is not a whole number. */
  amount: z.string().nullable(),
  amountUsd: z.string().nullable(),
  payTo: z.string(),
  /** True if the asset is named USDC but is not the canonical USDC token of its network. */
  falseUsdc: z.boolean().optional(),
});
export type PayOn = z.infer<typeof payOnSchema>;

/**
 * Schema of the settlements of one wallet in 30 days, including those that were sent back. A figure that was not
 * measured is null.
 */
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
 * Schema of figures that the report shows and the score formula does not use. These figures are stored with the score.
 */
const reportFiguresSchema = z.object({
  /** Time to the first byte in milliseconds; null if not measured. */
  firstByteMsP50: z.number().nullable(),
  firstByteMsP95: z.number().nullable(),
  /** Time to the last byte of the response in milliseconds; null if not measured. */
  responseMsP99: z.number().nullable(),
  responseMsMean: z.number().nullable(),
  /** Lowest and highest advertised price of the last 30 days in US dollars. */
  lowestPriceUsd: z.string().nullable(),
  highestPriceUsd: z.string().nullable(),
  /** Times of the latest probe of any outcome, and of the latest payment terms. */
  lastProbedAt: z.number().nullable(),
  termsAt: z.number().nullable(),
  challengeHash: z.string().nullable(),
  /** Time of the latest challenge with a compliance result. */
  complianceAt: z.number().nullable(),
  /**
   * Number of distinct payTo addresses of the main payment option's network and token in the last 30 days; null if no
   * payment terms were received.
   */
  payToDistinct30d: z.number().int().nullable(),
  /** Numbers of failed probes of the last 30 days by cause. */
  causes30d: z.record(z.string(), z.number().int()),
  /** Wallet of the main payment option, and sums over all wallets; null if no payment option is advertised. */
  settlement: z
    .object({
      ...paidWalletSchema.pick({ payTo: true, network: true, settlements30d: true }).shape,
      ...paidWalletSchema.pick({ lastSettledAt: true, throughBlock: true }).shape,
      repeatPayers30d: z.number().nullable(),
      wallets: z.array(paidWalletSchema),
    })
    .nullable(),
});
export type ReportFigures = z.infer<typeof reportFiguresSchema>;

/** Schema of a scored source: the score inputs of an endpoint, and the other stored data that its report shows. */
export const scoredSourceSchema = z.object({
  endpoint: z.object({
    id: z.string(),
    resource: z.string(),
    slug: z.string(),
    templated: z.boolean(),
    serviceName: z.string().nullable(),
    /** `directory` if a directory lists the endpoint or listed it before; `adopted` if only a paid report added it. */
    source: z.enum(['directory', 'adopted']),
  }),
  payOn: z.array(payOnSchema),
  inputs: scoreInputsSchema,
  facts: reportFiguresSchema,
  /** Compliance result of the latest challenge at the time of the score; null if that challenge is not stored. */
  challenge: z
    .object({
      version: z.union([z.literal(1), z.literal(2)]).nullable(),
      /** Ids of the rules that the challenge passed. */
      passed: z.array(z.string()),
      failed: z.array(
        z.object({
          id: z.string(),
          axis: z.enum(CHECK_AXES),
          severity: z.enum(['error', 'warning', 'info']),
          message: z.string(),
        }),
      ),
    })
    .nullable(),
  /** URLs of at most 20 resources on other hosts that advertise the same wallet. */
  sharedWith: z.array(z.string()),
});

/**
 * Score inputs of an endpoint, and the other stored data that its report shows. Times are milliseconds since the epoch.
 */
export type ScoredSource = z.infer<typeof scoredSourceSchema>;

/**
 * Returns the payment option whose price and network are shown: the first option with a price in USD, or else the first
 * option.
 */
export function selectMainOption(options: readonly PayOn[]): PayOn | null {
  return options.find((option) => option.amountUsd !== null) ?? options[0] ?? null;
}

/** Payment option of an endpoint, in the form that API responses contain. */
type ReportOption = NonNullable<TrustReport['advertised']>['options'][number];

/** Converts a payment option for a report: provider texts are cleaned and limited in length. */
export function toReportOption(option: PayOn): ReportOption {
  return {
    scheme: toDisplayText(option.scheme),
    network: toDisplayText(option.network),
    asset: toDisplayText(option.asset),
    assetSymbol: cleanText(option.assetSymbol, TEXT_LIMITS.address),
    decimals: option.decimals,
    amount: toAtomicAmount(option.amount),
    amountUsd: normalizeUsd(option.amountUsd),
    payTo: toDisplayText(option.payTo),
    falseUsdc: option.falseUsdc === true,
  };
}
