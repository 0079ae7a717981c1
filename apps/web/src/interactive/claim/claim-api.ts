import type { Claim, ClaimCreated, Problem } from '@touchstone/contract';
import type { ClaimEdited } from '@touchstone/contract/operations/claim/operation';
import type { ClaimEditRequest } from '@touchstone/contract/operations/claim/settings';
import type { Rechecked } from '@touchstone/contract/operations/claim/recheck';

/** Id and secret of a claim. Only the memory of this tab has the secret. */
export interface Credentials {
  readonly id: string;
  readonly secret: string;
}

/** Error of a call, with the text of the API for the owner of the claim. */
export class ClaimCallError extends Error {
  override readonly name = 'ClaimCallError';
  /** Code of the problem; null if there was no response. */
  readonly code: string | null;

  constructor(code: string | null, message: string) {
    super(message);
    this.code = code;
  }
}

const UNREACHABLE = 'The service could not be reached. Check your connection, and send it again.';

/**
 * Calls an operation of the API.
 *
 * @throws ClaimCallError if the operation fails
 */
async function call(
  [method, path]: readonly [string, string],
  { secret, body }: { readonly secret?: string; readonly body?: object },
): Promise<unknown> {
  const response = await fetch(`/v1/claim${path}`, {
    method,
    headers: {
      ...(secret === undefined ? {} : { authorization: `Bearer ${secret}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  }).catch(() => null);
  const json: unknown = await response?.json().catch(() => null);
  if (response === null || json === null) throw new ClaimCallError(null, UNREACHABLE);
  if (response.ok) return json;
  // Every error response of the API is a problem, so the cast is safe.
  const { code, detail, errors = [] } = json as Problem;
  const mistakes = errors.map(({ message }) => message).filter((message) => !detail.includes(message));
  throw new ClaimCallError(code, [detail, ...mistakes].join(' '));
}

// The API validates each response by the schema of its type, so the casts are safe.

/** Creates a claim of a host. */
export const createClaim = (host: string) => call(['POST', ''], { body: { host } }) as Promise<ClaimCreated>;

export const readClaim = ({ id, secret }: Credentials) =>
  call(['GET', `/${id}`], { secret }) as Promise<Claim>;

/** Reads the proof of a claim now. */
export const verifyClaim = ({ id, secret }: Credentials, host: string) =>
  call(['POST', `/${id}/verify`], { secret, body: { host } }) as Promise<Claim>;

export const endClaim = ({ id, secret }: Credentials) =>
  call(['DELETE', `/${id}`], { secret }) as Promise<Claim>;

/** Changes what a claim gives. Lists are complete. */
export const editClaim = ({ id, secret }: Credentials, body: ClaimEditRequest) =>
  call(['PATCH', `/${id}`], { secret, body }) as Promise<ClaimEdited>;

/** Probes and scores one endpoint of the host now. */
export const recheckEndpoint = ({ id, secret }: Credentials, resource: string) =>
  call(['POST', `/${id}/recheck`], { secret, body: { resource } }) as Promise<Rechecked>;
