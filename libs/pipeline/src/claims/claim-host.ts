import { DAY_MS } from '@touchstone/common';
import type { Claim, ClaimCreated } from '@touchstone/contract';
import {
  endClaim as storeEnd,
  findActiveClaim,
  findClaim,
  isClaimable,
  verifyClaim as storeClaim,
  type StoredClaim,
} from '@touchstone/store';
import { toClaimTag } from '../pages.ts';
import { createLimited, createOperationProblem } from '../problem.ts';
import {
  toClaim,
  toClaimedHost,
  toDnsName,
  toFileUrl,
  UNAUTHORIZED_CLAIM,
  type ClaimContext,
  type ClaimCredentials,
  type ClaimProblem,
  type ClaimResult,
} from './claim-context.ts';
import { createClaimSecret, toClaimIdentity, type ClaimIdentity } from './claim-secret.ts';

/** Time between two checks of an active claim. */
export const CHECK_INTERVAL_MS = DAY_MS;

interface HostRequest {
  /** Host as the request names it. */
  readonly host: string;
}

/** Creates the secret of a claim and the line that its owner publishes. Nothing is stored. */
export async function createClaim(
  { db }: Pick<ClaimContext, 'db'>,
  request: HostRequest,
): Promise<ClaimResult<ClaimCreated>> {
  const host = request.host.toLowerCase();
  if (!(await isClaimable(db, host))) return createUnknownHost(host);
  const secret = createClaimSecret();
  return { kind: 'result', body: { ...toClaimedHost(host, toClaimIdentity(secret)), secret } };
}

function createUnknownHost(host: string): ClaimProblem {
  return createOperationProblem(
    'unknown-resource',
    `The catalog has no endpoint on ${host}. Give the exact host of an endpoint, not its parent domain or a subdomain. To check an endpoint that no directory lists, use POST /v1/check.`,
  );
}

/** Returns the identity of the claim if the secret is the secret of the id. */
function authenticate({ id, secret }: ClaimCredentials): ClaimIdentity | null {
  const identity = toClaimIdentity(secret);
  return identity.id === id ? identity : null;
}

/** Returns the stored claim of an owner; a problem for a wrong secret, and for a claim that was never verified. */
export async function findOwnedClaim(
  { db }: Pick<ClaimContext, 'db'>,
  credentials: ClaimCredentials,
): Promise<{ readonly kind: 'owned'; readonly claim: StoredClaim } | ClaimProblem> {
  if (authenticate(credentials) === null) return UNAUTHORIZED_CLAIM;
  const claim = await findClaim(db, credentials.id);
  if (claim !== null) return { kind: 'owned', claim };
  return createNotVerified(
    'No claim with this id is verified, or it ended more than 30 days ago. Publish its line, and verify it with POST /v1/claim/{id}/verify.',
  );
}

/** Reads a claim for its owner. */
export async function readClaim(
  context: Pick<ClaimContext, 'db'>,
  credentials: ClaimCredentials,
): Promise<ClaimResult<Claim>> {
  const owned = await findOwnedClaim(context, credentials);
  return owned.kind === 'problem' ? owned : { kind: 'result', body: await toClaim(context.db, owned.claim) };
}

/** Ends a claim and what it gave. A repeated request has the same result. */
export async function endClaim(
  context: Pick<ClaimContext, 'db' | 'now' | 'onChanged'>,
  credentials: ClaimCredentials,
): Promise<ClaimResult<Claim>> {
  const owned = await findOwnedClaim(context, credentials);
  if (owned.kind === 'problem') return owned;
  const hosts = await storeEnd(context.db, { id: credentials.id, now: context.now() });
  await context.onChanged(hosts.map(toClaimTag));
  return readClaim(context, credentials);
}

/**
 * Reads the proof of a claim now, and activates the claim if the proof is there. Another active claim of the host is
 * replaced only if its proof is gone in the same reading.
 */
export async function verifyClaim(
  context: ClaimContext,
  { host: given, ...credentials }: ClaimCredentials & HostRequest,
): Promise<ClaimResult<Claim>> {
  const identity = authenticate(credentials);
  if (identity === null) return UNAUTHORIZED_CLAIM;
  const host = given.toLowerCase();
  if (!(await isClaimable(context.db, host))) return createUnknownHost(host);
  const other = await findActiveClaim(context.db, host);
  const rival = other === null || other.id === identity.id ? null : other;
  const reading = await context.readProof(host, rival === null ? [identity] : [identity, rival]);
  const { found, isComplete, remarks } = reading;
  const proof = found.get(identity.id);
  if (reading.isOwnFailure && (proof === undefined || rival !== null)) return OWN_FAILURE;
  if (proof === undefined) return createNotVerified(describeMissingProof(identity.id, host, remarks));
  if (rival !== null && !isComplete) return createNotVerified([UNREADABLE_RIVAL, ...remarks].join(' '));
  if (rival !== null && found.has(rival.id)) return createNotVerified(TAKEN);
  const now = context.now();
  const outcome = await storeClaim(
    context.db,
    { ...identity, host, proof },
    { replaced: rival?.id ?? null, nextCheckAt: now + CHECK_INTERVAL_MS, now },
  );
  if (outcome === 'taken') return createNotVerified(TAKEN);
  if (outcome === 'other-host') return createNotVerified(OTHER_HOST);
  if (other?.id !== identity.id) await context.onChanged([toClaimTag(host)]);
  return readClaim(context, credentials);
}

const OWN_FAILURE = createLimited('This service could not read every place of the line now.', 60);
const TAKEN =
  'Another claim of this host is active, and its line is still published. Remove that line, and verify again.';
const UNREADABLE_RIVAL =
  'Another claim of this host is active, and not every place of its line could be read. Make the files and the DNS record readable, and verify again.';
const OTHER_HOST = 'This claim is verified for another host. Create a claim for each host.';

function createNotVerified(detail: string): ClaimProblem {
  return createOperationProblem('claim-not-verified', detail);
}

function describeMissingProof(id: string, host: string, remarks: readonly string[]): string {
  const places = `${toFileUrl(host)} nor in the TXT record ${toDnsName(host)}`;
  return [`The line touchstone-claim=${id} was found neither in ${places}.`, ...remarks].join(' ');
}
