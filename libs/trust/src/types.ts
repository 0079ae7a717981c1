import {
  CHANGE_KINDS,
  COMPLIANCE_RESULTS,
  FAILURE_PHASES,
  type Component,
  type FlagSeverity,
  type Grade,
  type Recommendation,
} from '@touchstone/contract';
import { z } from 'zod';
import { deliveryFactsSchema } from './delivery-facts.ts';

const count = z.number();
/** Schema of a time in milliseconds since the epoch. */
const ms = z.number();

const termsChangeSchema = z.object({
  kind: z.enum(CHANGE_KINDS),
  at: ms,
  /**
   * Price in US dollars, payTo address, or network and asset before and after the change; null if unknown. Only the
   * latest 20 changes of each kind have these values.
   */
  before: z.string().nullable(),
  after: z.string().nullable(),
});

/**
 * Schema of the payTo changes while the payTo varied. The payTo varies if it has three values or three changes within a
 * day, and until it stays the same for a day. A deposit address for each request varies by design, so these changes do
 * not count as changes.
 */
export const payToVariationSchema = z.object({
  changes: count,
  /** Time of the first of these changes. */
  since: ms,
  lastChangedAt: ms,
  /** payTo address before the first of these changes; null if unknown. */
  before: z.string().nullable(),
  /** payTo address after the last of these changes; null if unknown. */
  after: z.string().nullable(),
});

/** Schema of the latest failed probe. */
export const failureSchema = z.object({
  at: ms,
  /** Time of the first probe in the series of consecutive failed probes that ends at `at`. */
  since: ms,
  phase: z.enum(FAILURE_PHASES),
  httpStatus: z.number().int().nullable(),
  /** Cause in kebab case, such as `http-410` or `timeout`. */
  error: z.string(),
  /** Cause as a sentence. */
  detail: z.string(),
});

/** Schema of a followed redirect to a payment challenge. */
export const redirectSchema = z.object({
  /** HTTP status of the last redirect. */
  status: z.number().int(),
  /** URL that sent the challenge, without query and fragment. */
  target: z.string(),
  /** True if the target has another origin than the requested URL. */
  otherOrigin: z.boolean(),
});

/** Schema of a setting that a buyer must change before clients pay a challenge. */
export const clientSettingSchema = z.object({
  kind: z.enum(['amount', 'token', 'scheme']),
  /** Name and required value of the setting, as the object of a sentence. */
  setting: z.string(),
});

/** Schema of a wallet that sent payments back to payers. */
const returningWalletSchema = z.object({
  address: z.string(),
  network: z.string(),
  /** True for a wallet that the advertised wallets funded; false for an advertised wallet. */
  isFunded: z.boolean(),
  /** Volume that the wallet sent back, in US dollars. */
  returnedUsd30d: z.number(),
});

/** Schema of the number of challenges by compliance result. */
const envelopesSchema = z.record(z.enum(COMPLIANCE_RESULTS), count);

/** Schema of all inputs of the score, in the form that is stored with the score. */
export const scoreInputsSchema = z.object({
  now: ms,
  firstSeen: ms,
  listed: z.boolean(),
  /** Time when the last directory dropped the endpoint; null while it is listed. */
  delistedAt: ms.nullable(),
  templated: z.boolean(),
  description: z.string().nullable(),
  /**
   * Probes of the last 30 days. `scored` probes count toward uptime; `up` is the number of scored probes that
   * succeeded.
   */
  probes: z.object({
    total: count,
    scored: count,
    up: count,
    excluded: count,
    blocked: count,
    redirected: count,
  }),
  /** Challenges of the last 30 days. */
  envelopes: envelopesSchema,
  /** Probes of the last 24 hours: scored, successful, with data without payment, and challenges by compliance result. */
  last24h: z.object({ scored: count, up: count, free: count, envelopes: envelopesSchema }),
  /** Scored probes of the last seven days in UTC, including the current day. */
  last7d: z.object({ scored: count, up: count }),
  /** Percentiles of the time to the last byte over `n` responses, in milliseconds; null if nothing was measured. */
  latency: z.object({ p50: z.number(), p95: z.number(), n: count }).nullable(),
  /**
   * Changes of the advertised payment terms in the last 30 days. The changes in `payToVariation` are left out, except
   * the last one if its payTo stayed the same for a day.
   */
  changes: z.array(termsChangeSchema).readonly(),
  /** payTo changes of the last 30 days while the payTo varied; absent if it did not vary. */
  payToVariation: payToVariationSchema.exactOptional(),
  everChallenged: z.boolean(),
  /** True if at least one unpaid request in the last 30 days returned data. */
  answeredFree: z.boolean(),
  /**
   * Time of the last scored probe; null if no probe was scored. The state after this time is unknown, so rules with a
   * 24-hour limit measure durations up to this time and not up to `now`.
   */
  lastScoredAt: ms.nullable(),
  /** Start of the current outage; null if the endpoint is up or was not measured. */
  downSince: ms.nullable(),
  /** Latest failed probe of the last 30 days; null if no probe failed. */
  lastFailure: failureSchema.nullable(),
  /** Time of the last successful probe; null if no probe has ever succeeded. */
  lastUpAt: ms.nullable(),
  lastChallengedAt: ms.nullable(),
  /** Time of the last payable challenge: a reference client signs the payment, and the token contract accepts it. */
  lastPayableAt: ms.nullable(),
  /** Compliance result of the latest challenge; null if there was no challenge, or if the result is unknown. */
  latestCompliance: z.enum(COMPLIANCE_RESULTS).nullable(),
  /**
   * Start of the current period of monitoring without a gap; null if unknown, which counts as no gap. Rules with a
   * 24-hour limit use this time to leave out periods without probes.
   */
  watchedSince: ms.nullable(),
  /** Currently advertised payment terms; null if no payment terms are advertised. */
  advertised: z
    .object({
      amountUsd: z.string().nullable(),
      network: z.string(),
      asset: z.string().nullable(),
      payTo: z.string().nullable(),
      falseUsdc: z.boolean(),
      /** Token that the first option with a false USDC names; null if no option names a false USDC. */
      falseUsdcAsset: z.string().nullable(),
      networkKnown: z.boolean(),
      protocolVersion: z.union([z.literal(1), z.literal(2)]).nullable(),
    })
    .nullable(),
  /** Median advertised price of the last 30 days in US dollars; null if unknown. */
  medianPriceUsd30d: z.string().nullable(),
  /** Settlements to all advertised wallets, read from the chains; null if no wallet could be read. */
  settlement: z
    .object({
      /** Volume that stayed: what was sent back to payers is left out. */
      volumeUsd30d: z.number(),
      /** Volume that was sent back to payers; absent if nothing was sent back. */
      returnedUsd30d: z.number().exactOptional(),
      /** Wallets that sent most of it, at most three; absent if nothing was sent back. */
      returnedBy: z.array(returningWalletSchema).readonly().exactOptional(),
      /** Number of payers of which something stayed. */
      payers30d: count,
      /** Share of the largest payer in the volume that stayed, 0..1; null if there was no payer. */
      topPayerShare: z.number().nullable(),
      /**
       * True if a wallet, a network or a token other than USDC could not be read. The figures are then lower bounds.
       * Without a payer, such figures count as unknown.
       */
      partial: z.boolean().exactOptional(),
    })
    .nullable(),
  /** Share of the advertised networks whose chain was read in the last day, 0..1; null if no network is advertised. */
  networksRead: z.number().nullable(),
  /** Number of listed endpoints of other hosts that advertise the same payTo address; absent if not counted. */
  payToSharedWith: count.exactOptional(),
  /** Number of other listed endpoints of the same host that advertise the same payTo address; absent if not counted. */
  payToSharedOnHost: count.exactOptional(),
  /** Defects of the latest challenge that its compliance result does not include; absent if not checked. */
  lastChallenge: z
    .object({
      /** True if the challenge does not name its resource. */
      resourceInfoMissing: z.boolean(),
      /** True if the header and the body of the challenge differ in payTo, amount, network or asset. */
      headerBodyMismatch: z.boolean(),
      /** Redirect that led to the challenge; null if the requested URL itself sent the challenge. */
      redirect: redirectSchema.nullable(),
      /** Ids of the failed rules of severity error that concern payment. */
      failedRules: z.array(z.string()),
      /**
       * Reason why the challenge cannot be paid, as a sentence; null if the challenge can be paid, or if no reason is
       * known.
       */
      notPayableReason: z.string().nullable(),
      /** Settings that a buyer must change before clients pay the challenge; empty if the default settings are enough. */
      neededSettings: z.array(clientSettingSchema),
    })
    .exactOptional(),
  /** Test purchases and outcomes of buyers; absent without any. They raise flags and are not part of the score. */
  delivery: deliveryFactsSchema.exactOptional(),
});

/** All inputs of the score. Times are milliseconds since the epoch. */
export type ScoreInputs = Readonly<z.infer<typeof scoreInputsSchema>>;
export type TermsChange = Readonly<z.infer<typeof termsChangeSchema>>;
/** Setting that a buyer must change before clients pay a challenge. */
export type ClientSetting = Readonly<z.infer<typeof clientSettingSchema>>;
/** Followed redirect to a payment challenge. */
export type ChallengeRedirect = Readonly<z.infer<typeof redirectSchema>>;
export type ReturningWallet = Readonly<z.infer<typeof returningWalletSchema>>;
export type Failure = Readonly<z.infer<typeof failureSchema>>;

export interface Flag {
  readonly slug: string;
  readonly severity: FlagSeverity;
  readonly message: string;
  readonly evidence: Readonly<Record<string, string | number | null>>;
  /** Time at which the condition of the flag began, in milliseconds since the epoch; null if unknown. */
  readonly since: number | null;
  /** Sentence with the causes and dates of this case, used as a reason for the recommendation. */
  readonly reason: string;
  /** True for a warning that excludes the recommendation `proceed`. */
  readonly preventsProceed: boolean;
  /** Caps, components and flags that the reason of this flag explains. */
  readonly explains: readonly string[];
}

export interface ComponentScore {
  readonly component: Component;
  /**
   * Figures from which the component value is computed; a figure that was not measured is null. The names of the
   * figures by component: uptime {up, scored, share}; compliance {pass, warnings, errors, unpayable}; stability
   * {priceChanges, payToChanges, assetNetworkChanges, lost}; activity {volumeUsd30d, returnedUsd30d, payers30d,
   * topPayerShare}; age {days}; latency {p50, p95, n}.
   */
  readonly inputs: Readonly<Record<string, number | string | null>>;
  /** Component value, 0 to 1; null if the component could not be measured. */
  readonly value: number | null;
  readonly weight: number;
  /** Points that the component contributes to the score before caps, out of 100; 0 if not measured. */
  readonly points: number;
  readonly explanation: string;
}

export interface Cap {
  readonly rule: string;
  readonly limit: number;
  readonly explanation: string;
}

export interface Verdict {
  readonly scoringVersion: string;
  /** Trust score, 0 to 100, with one decimal. If nothing was measured, the score is 0 and there is no grade. */
  readonly score: number;
  readonly scoreRange: { readonly low: number; readonly point: number; readonly high: number };
  readonly grade: Grade;
  readonly recommendation: Recommendation;
  /** Reasons for the recommendation, one sentence each. */
  readonly reasons: readonly string[];
  readonly confidence: number;
  readonly confidenceDetail: {
    readonly overall: number;
    readonly observation: number;
    /** Share of the advertised networks whose chain was read, 0 to 1; null if no network is advertised. */
    readonly economic: number | null;
  };
  readonly components: readonly ComponentScore[];
  readonly caps: readonly Cap[];
  readonly flags: readonly Flag[];
  /**
   * Projected score 30 days from now if the last 24 hours repeat; null if no probe was scored in these hours.
   */
  readonly projection: { readonly at: number; readonly score: number; readonly grade: Grade } | null;
}
