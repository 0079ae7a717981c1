import type { StoredScoringInput } from '@touchstone/store';

type UnpayableChallenge = NonNullable<StoredScoringInput['state']['unpayableChallenge']>;

/**
 * Returns one reason why a challenge cannot be paid, as a sentence. A payment that would be signed and then fail costs
 * the payer more than one that is not signed, so its reason comes first. Within each kind, the reason of the challenge's
 * own protocol version comes first.
 */
export function selectNotPayableReason({
  version,
  refusals,
  settlementFailures,
}: UnpayableChallenge): string | null {
  const versions = version === 1 ? (['v1', 'v2'] as const) : (['v2', 'v1'] as const);
  const reasons = [settlementFailures, refusals].flatMap((byVersion) =>
    versions.map((name) => byVersion?.[name] ?? null),
  );
  return reasons.find((reason) => reason !== null) ?? null;
}
