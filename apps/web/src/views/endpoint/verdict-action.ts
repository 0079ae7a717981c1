import { formatCount, formatUsd } from '@touchstone/common';
import { MAX_COUNTED_ALTERNATIVES } from '@touchstone/contract';
import { similarOperation } from '@touchstone/contract/operations/similar/operation';
import { trustReportOperation } from '@touchstone/contract/operations/trust-report/operation';
import type { Snapshot } from '@touchstone/store';
import { formatCliCommand, formatLintCommand } from '../../operations/documents/cli-command.ts';
import { quoteForShell } from '../../operations/documents/code-examples.ts';
import type { SellerOptions } from './report-offer.tsx';

/** Action that the page suggests beside the recommendation: a command, or else a link. */
export type VerdictAction = { readonly title: string } & (
  | { readonly command: string; readonly label: string }
  | { readonly href: string }
);

/**
 * Selects the one action that fits the recommendation for an endpoint. While the service takes no payments, no action
 * buys anything.
 */
export function selectAction(snapshot: Snapshot, seller: SellerOptions): VerdictAction {
  switch (snapshot.recommendation) {
    case 'avoid':
      return selectAlternatives(snapshot, seller);
    case 'caution':
      return seller.arePaymentsEnabled ? buyReport(snapshot, seller) : guard(snapshot, seller);
    case 'unverified':
      return {
        title: 'Probe it now from your machine, free',
        label: 'Live probe, command',
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
      ? 'Replace each placeholder, and check the URL with the free guard'
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

function selectAlternatives(snapshot: Snapshot, seller: SellerOptions): VerdictAction {
  const { betterAlternatives: count, resource } = snapshot;
  if (count === 0 || !seller.arePaymentsEnabled)
    return { title: 'Explore other endpoints', href: '/explore' };
  return {
    title: `${formatAlternatives(count)}, ${formatPrice(similarOperation.priceUsd)}`,
    label: 'Alternatives, command',
    command: formatCliCommand(seller.baseUrl, ['similar', quoteForShell(resource)]),
  };
}

/**
 * Formats the number of better alternatives as the title of their list.
 *
 * @param count At least 1; null means that the alternatives are not counted yet.
 */
function formatAlternatives(count: number | null): string {
  if (count === null) return 'List similar endpoints with a better score';
  const least = count >= MAX_COUNTED_ALTERNATIVES ? 'at least ' : '';
  return `List ${least}${formatCount(count, 'similar endpoint')} with a better score`;
}

function formatPrice(priceUsd: string | null): string {
  return priceUsd === null ? 'free' : formatUsd(priceUsd);
}
