import type { ListedSnapshot } from '@touchstone/store';
import { type ListedEndpoint, toPlainText } from '@touchstone/ui';

/** Maximum lengths of the provider texts in a search result, in characters. A longer text ends with an ellipsis. */
const MAX_NAME_LENGTH = 100;
const MAX_DESCRIPTION_LENGTH = 120;

/** Endpoint in a search result. It has only data that the public page of the endpoint also shows. */
export type EndpointMatch = Pick<ListedSnapshot, keyof ListedEndpoint>;

/** Converts a snapshot to an endpoint in a search result. */
export function toEndpointMatch(snapshot: ListedSnapshot): EndpointMatch {
  const { serviceName, description } = snapshot;
  return {
    slug: snapshot.slug,
    resource: snapshot.resource,
    serviceName: serviceName === null ? null : toPlainText(serviceName, MAX_NAME_LENGTH),
    description: description === null ? null : toPlainText(description, MAX_DESCRIPTION_LENGTH),
    templated: snapshot.templated,
    score: snapshot.score,
    scoreLow: snapshot.scoreLow,
    grade: snapshot.grade,
    recommendation: snapshot.recommendation,
    confidence: snapshot.confidence,
    uptime30d: snapshot.uptime30d,
    scoredProbes30d: snapshot.scoredProbes30d,
    blockedSince: snapshot.blockedSince,
    uptimeDays: snapshot.uptimeDays,
    latencyMs: snapshot.latencyMs,
    amountUsd: snapshot.amountUsd,
    network: snapshot.network,
    listingStatus: snapshot.listingStatus,
    listingSource: snapshot.listingSource,
    computedAt: snapshot.computedAt,
    firstSeen: snapshot.firstSeen,
    contentChangedAt: snapshot.contentChangedAt,
  };
}
