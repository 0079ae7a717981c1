import { DAY_MS } from '@touchstone/common';
import { LOW_CONFIDENCE } from './confidence.ts';
import { computeAgeMs, isLastProbeStale } from './endpoint-state.ts';
import {
  createProbeShareDetector,
  createVariationDetector,
  detectDown,
  detectNoncompliant,
  detectNoSettlements,
  detectNotPayable,
  detectNotPayableNow,
  detectPayToChange,
  detectPriceSpike,
  detectSinglePayer,
  detectSlow,
  detectUptimeLow,
  type DetectFlag,
  type FlagInputs,
} from './flag-detection.ts';
import type { FlagSeverity } from './report-schema.ts';
import type { Flag } from './types.ts';

interface FlagRule {
  readonly slug: string;
  readonly severity: FlagSeverity;
  /**
   * True for a warning that excludes the recommendation `proceed`. Flags of severity error always exclude `proceed`.
   */
  readonly preventsProceed?: true;
  /** True if the flag is never raised for URL templates, because their price and payTo may vary from item to item. */
  readonly notForTemplates?: true;
  /** Sentence for the payer: the problem that was found. */
  readonly message: string;
  readonly detect: DetectFlag;
}

/** Flags of severity error: a payer should not pay an endpoint that has one of them. */
const ERROR_FLAGS: readonly FlagRule[] = [
  {
    slug: 'payto-changed-recently',
    severity: 'error',
    notForTemplates: true,
    message: 'The payTo address changed in the last 7 days; the endpoint may have been taken over.',
    detect: detectPayToChange,
  },
  {
    slug: 'asset-not-usdc',
    severity: 'error',
    message: "The advertised token is named USDC but is not the network's canonical USDC.",
    detect: ({ inputs: { advertised } }) =>
      advertised?.falseUsdc === true
        ? { evidence: { network: advertised.network, payTo: advertised.payTo } }
        : null,
  },
  {
    slug: 'not-payable',
    severity: 'error',
    message: 'No reference client can pay its payment challenges.',
    detect: detectNotPayable,
  },
  {
    slug: 'down-now',
    severity: 'error',
    message: 'The endpoint had been down for 24 hours or more at the last probe.',
    detect: detectDown,
  },
  {
    slug: 'price-spike',
    severity: 'error',
    notForTemplates: true,
    message: 'The price is at least 10 times its 30-day median.',
    detect: detectPriceSpike,
  },
  {
    slug: 'envelope-noncompliant',
    severity: 'error',
    message: 'More than half of its payment challenges violate the x402 protocol.',
    detect: detectNoncompliant,
  },
];

/** Warnings about price, payment address, network and payability. */
const MONEY_FLAGS: readonly FlagRule[] = [
  {
    slug: 'price-varies',
    severity: 'warning',
    preventsProceed: true,
    notForTemplates: true,
    message: 'The price changed at least 2 times in the last 30 days; check the amount before every payment.',
    detect: createVariationDetector('price_change'),
  },
  {
    slug: 'payto-varies',
    severity: 'warning',
    preventsProceed: true,
    notForTemplates: true,
    message: 'The payTo address changed at least 2 times in the last 30 days.',
    detect: createVariationDetector('payto_change'),
  },
  {
    slug: 'payto-shared',
    severity: 'warning',
    notForTemplates: true,
    message:
      'Endpoints of other hosts advertise the same payTo address, so its settlements may include payments to them.',
    detect: ({ inputs: { payToSharedWith } }) =>
      (payToSharedWith ?? 0) > 0 ? { evidence: { endpoints: payToSharedWith ?? 0 } } : null,
  },
  {
    slug: 'price-unknown',
    severity: 'warning',
    preventsProceed: true,
    message: 'The price in US dollars is unknown.',
    detect: ({ inputs: { advertised } }) =>
      advertised !== null && advertised.amountUsd === null
        ? { evidence: { network: advertised.network } }
        : null,
  },
  {
    slug: 'not-payable-now',
    severity: 'warning',
    preventsProceed: true,
    message: 'The endpoint could not be paid at the last probe.',
    detect: detectNotPayableNow,
  },
  {
    slug: 'network-unknown',
    severity: 'warning',
    preventsProceed: true,
    message: 'This service does not know the payment network, so it cannot check price or settlements.',
    detect: ({ inputs: { advertised } }) =>
      advertised !== null && !advertised.networkKnown ? { evidence: { network: advertised.network } } : null,
  },
  {
    slug: 'header-body-mismatch',
    severity: 'warning',
    preventsProceed: true,
    message:
      'Header and body of its challenge contain different payment terms, so the payment depends on the client.',
    detect: ({ inputs: { lastChallenge } }) =>
      lastChallenge?.headerBodyMismatch === true ? { evidence: {} } : null,
  },
];

/** Warnings about the service, its listing and the amount of data. */
const SERVICE_FLAGS: readonly FlagRule[] = [
  {
    slug: 'first-contact',
    severity: 'warning',
    message: 'The endpoint was first seen less than 24 hours ago.',
    detect: ({ inputs: { now, firstSeen } }) =>
      computeAgeMs(now, firstSeen) < DAY_MS ? { since: firstSeen, evidence: { firstSeen } } : null,
  },
  {
    slug: 'low-confidence',
    severity: 'warning',
    message: 'There are too few measurements to rely on the score.',
    detect: ({ inputs, confidence }) =>
      confidence < LOW_CONFIDENCE ? { evidence: { confidence, probes: inputs.probes.scored } } : null,
  },
  {
    slug: 'not-seen-lately',
    severity: 'warning',
    preventsProceed: true,
    message: 'No scored probe for more than 24 hours.',
    detect: ({ inputs: { now, lastProbedAt } }) =>
      lastProbedAt !== null && isLastProbeStale({ now, lastProbedAt })
        ? { since: lastProbedAt, evidence: { lastProbedAt } }
        : null,
  },
  {
    slug: 'uptime-low',
    severity: 'warning',
    message: 'Fewer than 95 % of the scored probes in the last 30 days succeeded.',
    detect: detectUptimeLow,
  },
  {
    slug: 'slow',
    severity: 'warning',
    message: 'The endpoint responds slowly.',
    detect: detectSlow,
  },
  {
    slug: 'no-settlements',
    severity: 'warning',
    message: 'No buyer paid the endpoint in the last 30 days.',
    detect: detectNoSettlements,
  },
  {
    slug: 'single-payer',
    severity: 'warning',
    message: 'One payer, possibly the seller, paid nearly all of its settled volume.',
    detect: detectSinglePayer,
  },
  {
    slug: 'legacy-version',
    severity: 'warning',
    message: 'The endpoint uses x402 version 1, which newer clients may no longer support.',
    detect: ({ inputs: { advertised } }) =>
      advertised?.protocolVersion === 1 ? { evidence: { protocolVersion: 1 } } : null,
  },
  {
    slug: 'missing-resource-info',
    severity: 'warning',
    message: 'The payment challenge does not name the resource that is paid for.',
    detect: ({ inputs: { lastChallenge } }) =>
      lastChallenge?.resourceInfoMissing === true ? { evidence: {} } : null,
  },
  {
    slug: 'delisted',
    severity: 'warning',
    message: 'The directory no longer lists the endpoint.',
    detect: ({ inputs: { listed } }) => (listed ? null : { evidence: {} }),
  },
  {
    slug: 'template-unresolved',
    severity: 'warning',
    message: 'The URL is a template, and no probe of a filled-in URL was scored.',
    detect: ({ inputs: { templated, probes } }) =>
      templated && probes.scored <= 0 ? { evidence: { probes: probes.total } } : null,
  },
  {
    slug: 'blocked',
    severity: 'warning',
    message: 'The endpoint blocks automated clients.',
    detect: createProbeShareDetector('blocked'),
  },
  {
    slug: 'redirects',
    severity: 'warning',
    message:
      'The endpoint redirects requests; a client may lose the method, body or payment in the redirect.',
    detect: createProbeShareDetector('redirected'),
  },
  {
    slug: 'no-description',
    severity: 'warning',
    message: 'The resource has no description.',
    detect: ({ inputs: { description } }) => ((description ?? '').trim() === '' ? { evidence: {} } : null),
  },
];

/** All flags. Errors come first. */
const FLAGS: readonly FlagRule[] = [...ERROR_FLAGS, ...MONEY_FLAGS, ...SERVICE_FLAGS];
const preventing = new Set(FLAGS.filter((flag) => flag.preventsProceed === true).map(({ slug }) => slug));

/** Detects the flags of an endpoint. */
export function detectFlags(facts: FlagInputs): Flag[] {
  return FLAGS.flatMap(({ slug, severity, message, notForTemplates, detect }) => {
    const detection = notForTemplates === true && facts.inputs.templated ? null : detect(facts);
    return detection === null
      ? []
      : [{ slug, severity, message, evidence: detection.evidence, since: detection.since ?? null }];
  });
}

/** Returns true for a warning that excludes the recommendation `proceed`. */
export function preventsProceed({ slug }: Pick<Flag, 'slug'>): boolean {
  return preventing.has(slug);
}
