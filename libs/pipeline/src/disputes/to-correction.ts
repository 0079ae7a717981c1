import type { Corrections } from '@touchstone/contract/operations/dispute/schemas';
import type { PublicDispute } from '@touchstone/store';
import { formatEndpointPage } from '../pages.ts';

/** Converts an answered dispute or a correction to its form in the API. */
export function toCorrection(dispute: PublicDispute, baseUrl: string): Corrections['corrections'][number] {
  const { id, slug, subject, shown, text, state, resource, answer } = dispute;
  return {
    dispute_id: id,
    resource,
    endpoint_page: slug === null ? null : formatEndpointPage(slug, baseUrl),
    ...{ subject, shown, text, state, created_at: dispute.createdAt },
    ...{ answer, answered_at: dispute.answeredAt },
  };
}
