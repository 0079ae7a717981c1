import type {
  ChangeKind,
  Component,
  ComplianceVerdict,
  FailurePhase,
  FlagSeverity,
  Grade,
  Recommendation,
} from '@touchstone/contract';

/** Change of the advertised payment terms in the last 30 days. Times are milliseconds since the epoch. */
export interface TermsChange {
  readonly kind: ChangeKind;
  readonly at: number;
  /**
   * Price in US dollars, payTo address, or network and asset before and after the change; null if unknown. Only the
   * latest change of each kind has these values.
   */
  readonly before: string | null;
  readonly after: string | null;
}

/** Latest failed probe. Times are milliseconds since the epoch. */
export interface Failure {
  readonly at: number;
  /** Time of the first failed probe since the endpoint last responded as itself. */
  readonly since: number;
  readonly phase: FailurePhase;
  readonly httpStatus: number | null;
  /** Cause in kebab case, such as `http-410` or `timeout`. */
  readonly error: string;
  /** Cause as a sentence. */
  readonly detail: string;
}

/** All inputs of the score. Times are milliseconds since the epoch. */
export interface ScoreInputs {
  readonly now: number;
  readonly firstSeen: number;
  readonly listed: boolean;
  /** Time when the last directory dropped the endpoint; null while it is listed. */
  readonly delistedAt: number | null;
  readonly templated: boolean;
  readonly description: string | null;
  /**
   * Probes of the last 30 days. `scored` probes count toward uptime; `up` is the number of scored probes that
   * succeeded.
   */
  readonly probes: {
    readonly total: number;
    readonly scored: number;
    readonly up: number;
    readonly excluded: number;
    readonly blocked: number;
    readonly redirected: number;
  };
  /** Number of challenges of the last 30 days, by compliance verdict. */
  readonly envelopes: Readonly<Record<ComplianceVerdict, number>>;
  /** Probes of the last 24 hours: scored, successful, with data without payment, and challenges by verdict. */
  readonly last24h: {
    readonly scored: number;
    readonly up: number;
    readonly free: number;
    readonly envelopes: Readonly<Record<ComplianceVerdict, number>>;
  };
  /** Scored probes of the last seven days in UTC, including the current day. */
  readonly last7d: { readonly scored: number; readonly up: number };
  /** Percentiles of the time to the last byte over `n` responses, in milliseconds; null if nothing was measured. */
  readonly latency: { readonly p50: number; readonly p95: number; readonly n: number } | null;
  readonly changes: readonly TermsChange[];
  readonly everChallenged: boolean;
  /** True if at least one unpaid request in the last 30 days returned data. */
  readonly answeredFree: boolean;
  /**
   * Time of the last scored probe; null if there is none. The state after this time is unknown, so rules with a 24-hour
   * limit measure durations up to this time and not up to `now`.
   */
  readonly lastScoredAt: number | null;
  /** Start of the current outage; null if the endpoint is up or was not measured. */
  readonly downSince: number | null;
  /** Latest failed probe of the last 30 days; null if there is none. */
  readonly lastFailure: Failure | null;
  readonly lastChallengedAt: number | null;
  /** Time of the last payable challenge: a reference client signs the payment, and the token contract accepts it. */
  readonly lastPayableAt: number | null;
  /** Compliance verdict on the latest challenge; null if there is no challenge or its verdict is unknown. */
  readonly latestCompliance: ComplianceVerdict | null;
  /**
   * Start of the current period of monitoring without a gap; null if unknown, which counts as no gap. Rules with a
   * 24-hour limit use this time to leave out periods without probes.
   */
  readonly watchedSince: number | null;
  /** Currently advertised payment terms; null if there are none. */
  readonly advertised: {
    readonly amountUsd: string | null;
    readonly network: string;
    readonly asset: string | null;
    readonly payTo: string | null;
    readonly falseUsdc: boolean;
    /** Token of the first option that is falsely named USDC; null if there is none. */
    readonly falseUsdcAsset: string | null;
    readonly networkKnown: boolean;
    readonly protocolVersion: 1 | 2 | null;
  } | null;
  /** Median advertised price of the last 30 days in US dollars; null if unknown. */
  readonly medianPriceUsd30d: string | null;
  /** Settlements to all advertised wallets, read from the chains; null if no wallet could be read. */
  readonly settlement: {
    readonly volumeUsd30d: number;
    readonly payers30d: number;
    /** Share of the largest payer in the volume, 0..1; null if there is no payer. */
    readonly topPayerShare: number | null;
    /**
     * True if a wallet, a network or a token other than USDC could not be read. The figures are then lower bounds. If
     * there is also no payer, they count as unknown.
     */
    readonly partial?: boolean;
  } | null;
  /** Share of the advertised networks whose chain was read in the last day, 0..1; null if none is advertised. */
  readonly networksRead: number | null;
  /** Number of listed endpoints of other hosts that advertise the same payTo address; absent if not counted. */
  readonly payToSharedWith?: number;
  /** Defects of the latest challenge that its compliance verdict does not include; absent if not checked. */
  readonly lastChallenge?: {
    /** True if the challenge does not name its resource. */
    readonly resourceInfoMissing: boolean;
    /** True if the header and the body of the challenge differ in payTo, amount, network or asset. */
    readonly headerBodyMismatch: boolean;
    /** Reason why it cannot be paid, as a sentence; null if it can, or if no reason is known. */
    readonly notPayableReason: string | null;
  };
}

export interface Flag {
  readonly slug: string;
  readonly severity: FlagSeverity;
  readonly message: string;
  readonly evidence: Readonly<Record<string, string | number | null>>;
  /** Time at which the condition of the flag began, in milliseconds since the epoch; null if unknown. */
  readonly since: number | null;
  /** Sentence with the causes and dates of this case, used as a reason for the recommendation. */
  readonly reason: string;
}

export interface ComponentScore {
  readonly component: Component;
  /**
   * Figures that the value was computed from; null if not measured. Their names by component: uptime {up, scored,
   * share}; compliance {pass, warnings, errors, unpayable}; stability {priceChanges, payToChanges, assetNetworkChanges,
   * lost}; activity {volumeUsd30d, payers30d, topPayerShare}; age {days}; latency {p50, p95, n}.
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
  /** Reasons for the recommendation, in order, one sentence each. */
  readonly reasons: readonly string[];
  readonly confidence: number;
  readonly confidenceDetail: {
    readonly overall: number;
    readonly observation: number;
    /** Null if no network is advertised. */
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
