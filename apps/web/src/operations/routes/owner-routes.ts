import type { Operation, ProblemCode } from '@touchstone/contract';
import { createProblem } from '@touchstone/contract/shared/problem';
import type { OperationProblem } from '@touchstone/pipeline/problem';
import { getRequestPath, readBearerToken } from '../../api/read-request.ts';
import { createJsonResponse, createProblemResponse } from '../../api/responses.ts';
import { refuseUnknownParameters, type ApiHandler } from '../../api/route.ts';
import { toProblem } from '../to-work-result.ts';

/** Position of the id in the paths `/v1/watch/{id}` and `/v1/claim/{id}`, split at their slashes. */
const ID_SEGMENT = 3;

const WITHOUT_SECRET = {
  watch: 'The request has no bearer secret. Send the secret of the watch as Authorization: Bearer wsk_….',
  claim: 'The request has no bearer secret. Send the secret of the claim as Authorization: Bearer csk_….',
} as const;

/** Id of a watch or claim, and the bearer secret that the request presented. */
interface Credentials {
  readonly id: string;
  readonly secret: string;
}

export type OwnerOperation = (credentials: Credentials, request: Request) => Promise<Response>;

/** Creates the handler of an operation that needs the secret of the watch or claim in the path. */
export function requireSecret(
  operation: Operation,
  kind: keyof typeof WITHOUT_SECRET,
  respond: OwnerOperation,
): ApiHandler {
  return refuseUnknownParameters(operation, (request) => {
    const secret = readBearerToken(request.headers.get('authorization'));
    if (secret === null) {
      return createProblemResponse(createProblem('unauthorized', WITHOUT_SECRET[kind]), {
        'www-authenticate': 'Bearer',
      });
    }
    const id = getRequestPath(request.url).split('/')[ID_SEGMENT] ?? '';
    return respond({ id, secret }, request);
  });
}

/**
 * Creates the response with the result of an operation of an owner, or with its problem. Caches must not store the
 * response.
 */
export function toOwnerResponse(
  result: { readonly kind: 'result'; readonly body: unknown } | OperationProblem<ProblemCode>,
): Response {
  if (result.kind === 'result') return createJsonResponse(result.body, 0);
  const { code, retryAfterSeconds } = result;
  return createProblemResponse(toProblem(result), {
    ...(code === 'unauthorized' ? { 'www-authenticate': 'Bearer' } : {}),
    ...(retryAfterSeconds === undefined ? {} : { 'retry-after': String(retryAfterSeconds) }),
  });
}
