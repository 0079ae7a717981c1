import type { ClaimSettings } from '@touchstone/contract/operations/claim/settings';
import type { StoredClaim } from '@touchstone/store';
import { toDisplayResource } from '@touchstone/trust';

/** Converts what a claim gives to its form in responses. */
export function toClaimSettings({ settings }: StoredClaim): ClaimSettings {
  const { contact, optedOutAt, statements, maintenance, notices } = settings;
  return {
    contact,
    opted_out_at: optedOutAt,
    statements: statements.map(({ resource, subject, text, statedAt }) => ({
      ...{ resource: toDisplayResource(resource), subject, text, stated_at: statedAt },
    })),
    maintenance: maintenance.map(({ resource, startsAt, endsAt, text, announcedAt }) => ({
      resource: resource === null ? null : toDisplayResource(resource),
      ...{ starts_at: startsAt, ends_at: endsAt, text, announced_at: announcedAt },
    })),
    notices: notices && {
      ...{ channel: notices.channel, url: notices.label, disabled_reason: notices.disabledReason },
      resources: notices.resources.map(toDisplayResource),
    },
  };
}
