import { formatUsd } from '@touchstone/common';
import { trustReportOperation } from '@touchstone/contract/operations/trust-report/operation';
import type { Snapshot } from '@touchstone/store';
import { toPlainText } from '@touchstone/ui';
import { NO_PARAMS, toExploreUrl } from '../../interactive/explore/explore-params.ts';
import { formatCliCommand, formatLintCommand } from '../../operations/documents/cli-command.ts';
import { quoteForShell } from '../../operations/documents/code-examples.ts';
import { toUrlText } from '../../page-parts/classify-query.ts';
import type { SellerOptions } from './report-offer.tsx';

/** Maximum length of the text of a search for a purpose, in characters. */
const MAX_PURPOSE_LENGTH = 200;

interface Link {
  readonly title: string;
  readonly href: string;
}

interface Command {
  readonly title: string;
  /** Accessible name of the command. */
  readonly label: string;
  readonly command: string;
}

/** Action that the page suggests beside the recommendation: a command, or else a link. */
export type VerdictAction = Command | Link;

/**
 * Selects the one action that fits the recommendation for an endpoint. While the service takes no payments, no action
 * buys anything.
 */
export function selectAction(snapshot: Snapshot, seller: SellerOptions): VerdictAction {
  switch (snapshot.recommendation) {
    case 'avoid':
      return { title: 'See others for this purpose, marked Proceed, free', href: toPurposeUrl(snapshot) };
    case 'caution':
      return seller.arePaymentsEnabled ? buyReport(snapshot, seller) : guard(snapshot, seller);
    case 'unverified':
      return {
        title: 'Send one request without a payment from your own machine, free',
        label: 'Lint, command',
        command: formatLintCommand(seller.baseUrl, quoteForShell(snapshot.resource)),
      };
    case 'free':
      return { title: 'Call it without a payment', href: '#use' };
    case 'proceed':
    case 'parameterize':
      return guard(snapshot, seller);
  }
}

/** Returns the command of the guard, which stops a payment with terms that differ from the observed terms. */
function guard({ resource, templated }: Snapshot, { baseUrl }: SellerOptions): VerdictAction {
  return {
    title: templated
      ? 'Replace each placeholder, then check the URL with the free guard'
      : 'Check each payment with the free guard',
    label: 'Guard, command',
    command: formatCliCommand(baseUrl, ['guard', quoteForShell(resource)]),
  };
}

function buyReport({ resource }: Snapshot, { baseUrl }: SellerOptions): VerdictAction {
  return {
    title: `Read the reasons in the report, ${formatPrice(trustReportOperation.priceUsd)}`,
    label: 'Report, command',
    command: formatCliCommand(baseUrl, ['buy', 'trust', quoteForShell(resource)]),
  };
}

/** Returns the URL of a search for the purpose of an endpoint, among the endpoints with the recommendation to proceed. */
function toPurposeUrl({ description, serviceName }: Snapshot): string {
  const text = toPlainText(description ?? serviceName ?? '', MAX_PURPOSE_LENGTH);
  const filters = { ...NO_PARAMS, recommendations: ['proceed'] } as const;
  // The search would open the page of a URL, and not a list of endpoints.
  const isSearchable = /[\p{L}\p{N}]/u.test(text) && toUrlText(text) === null;
  return toExploreUrl(isSearchable ? { ...filters, text, sort: 'relevance' } : filters);
}

function formatPrice(priceUsd: string | null): string {
  return priceUsd === null ? 'free' : formatUsd(priceUsd);
}
