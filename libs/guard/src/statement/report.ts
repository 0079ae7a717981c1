import { readMember, readText } from '@touchstone/x402/json';
import { toCaip2 } from '@touchstone/x402/networks';
import { isSameAddress, type PaymentTerms } from '../payment-terms.ts';
import {
  readRange,
  readTime,
  readUsd,
  readRating,
  type Summary,
  type SummaryEndpoint,
  type SummaryOption,
} from './summary.ts';

/** The part of a paid report (schema `x402-trust`) that the guard uses. */
export interface Report {
  readonly endpoint: SummaryEndpoint;
  /** Recipients of the payment options. */
  readonly recipients: readonly { readonly network: string; readonly payTo: string }[];
}

const MAX_OPTIONS = 100;

/** Reads a verified report. Returns null if a member is missing or malformed. */
export function readReport(document: object): Report | null {
  const rating = readRating(document);
  const resource = readText(document, 'resource');
  const endpointPage = readText(document, 'endpointPage');
  const templated = readMember(document, 'templated');
  const lastProbedAt = readTime(readMember(document, 'freshness'), 'probedAt');
  if (rating === null || resource === null || endpointPage === null) return null;
  if (typeof templated !== 'boolean' || lastProbedAt === undefined) return null;
  const advertised = readMember(document, 'advertised');
  const listed = readMember(advertised, 'options');
  const options = Array.isArray(listed) ? listed.slice(0, MAX_OPTIONS).map(readOption) : [];
  const priceRange30d = readRange(readMember(advertised, 'amountRange30d')) ?? null;
  const terms = { amountUsd: readUsd(advertised, 'amountUsd') ?? null, priceRange30d, payOn: options };
  return {
    endpoint: { resource, endpointPage, templated, ...rating, lastProbedAt, ...terms },
    recipients: options,
  };
}

/** Reads one payment option. A malformed value becomes empty text, because empty text equals no value of a payment. */
function readOption(value: unknown): SummaryOption & { readonly payTo: string } {
  const [network, asset, payTo] = ['network', 'asset', 'payTo'].map((name) => readText(value, name) ?? '');
  const decimals = readMember(value, 'decimals');
  return {
    network: toCaip2(network ?? ''),
    asset: asset ?? '',
    payTo: payTo ?? '',
    decimals:
      typeof decimals === 'number' && Number.isInteger(decimals) && decimals >= 0 && decimals <= 77
        ? decimals
        : null,
    // Reports do not name the canonical USDC. The guard finds the canonical USDC in its own table.
    canonicalUsdc: false,
  };
}

/** Summary with the rating of a report, and the payment terms that only the report states. */
export interface ReportedSummary {
  readonly summary: Summary;
  readonly reported: Summary;
}

/**
 * Adds a report to a summary. The report is newer, so the rating in the report replaces the rating in the summary. The
 * payment terms of the report are a second statement: a payment must agree with the terms of both.
 */
export function addReport(summary: Summary, report: Report, terms: PaymentTerms): ReportedSummary {
  const known = summary.endpoint;
  const { network, payTo } = terms;
  const isCurrent = report.recipients.some(
    (recipient) => recipient.network === network && isSameAddress(network, recipient.payTo, payTo),
  );
  // A report without payment options has an empty list of recipients. The observation in the summary is then not used.
  const wasObserved = summary.payTo?.observed === true && report.recipients.length > 0;
  const reported: Summary = {
    ...summary,
    match: summary.match ?? 'exact',
    endpoint: {
      ...report.endpoint,
      templated: report.endpoint.templated || known?.templated === true,
      payOn: report.endpoint.payOn.map((option) => addTokenFacts(option, known)),
    },
    payTo: {
      observed: isCurrent || wasObserved,
      current: isCurrent,
      varies: summary.payTo?.varies === true,
      changedAt: summary.payTo?.changedAt ?? null,
      before: summary.payTo?.before ?? null,
    },
  };
  if (known === null) return { summary: reported, reported };
  const { score, grade, recommendation, confidence, lastProbedAt } = report.endpoint;
  const rating = { score, grade, recommendation, confidence, lastProbedAt };
  return { summary: { ...summary, endpoint: { ...known, ...rating } }, reported };
}

function addTokenFacts(option: SummaryOption, known: SummaryEndpoint | null): SummaryOption {
  const { network, asset } = option;
  const same = known?.payOn.find(
    (other) => other.network === network && isSameAddress(network, other.asset, asset),
  );
  return same === undefined ? option : { ...option, canonicalUsdc: same.canonicalUsdc };
}
