import { BodyTooLargeError, readBoundedBytes } from '@touchstone/common';
import { MAX_BODY_BYTES } from '@touchstone/contract/shared/requests';
import { checkLimiter, getQueueClient } from '../../api/rate-limit/limiters.ts';
import { createProblemResponse } from '../../api/responses.ts';
import { route, type ApiHandler } from '../../api/route.ts';
import { runLiveCheck } from '../../operations/checks.ts';
import { toProblem } from '../../operations/to-work-result.ts';
import { CHECK_PROBLEMS, formatCheckQuery, parseCheckParams, type CheckParams } from './check-params.ts';

/**
 * Checks the endpoint of a submitted form, and redirects to the page of the check. A failed check redirects to the form
 * with the reason as a code, so that a link to the page cannot contain a message of its author.
 */
export const submitCheck: ApiHandler = async (request) => {
  const { url, method } = parseCheckParams(await readForm(request));
  if (url === null) return redirect('/check');
  const respond: ApiHandler = (received) => check(received, { url, method });
  const response = await route({ POST: respond }, { limiter: checkLimiter }).POST(request);
  if (response.status < 400) return response;
  // Every error response was created by this service from a problem, so the cast is safe.
  const { code } = (await response.json()) as { readonly code: string };
  const wait = response.headers.get('retry-after');
  return redirect(
    `/check?${formatCheckQuery({
      ...{ url, method, problem: CHECK_PROBLEMS.find((each) => each === code) ?? 'failed' },
      waitSeconds: wait === null ? null : Number(wait),
    })}`,
  );
};

async function check(
  request: Request,
  { url, method }: { readonly url: string; readonly method: CheckParams['method'] },
): Promise<Response> {
  const outcome = await runLiveCheck({ resource: url, method, client: getQueueClient(request) });
  if (outcome.kind === 'result') {
    const { pathname, search } = new URL(outcome.body.check.checkPage);
    return redirect(`${pathname}${search}`);
  }
  const { retryAfterSeconds } = outcome;
  return createProblemResponse(
    toProblem(outcome),
    retryAfterSeconds === undefined ? {} : { 'retry-after': String(retryAfterSeconds) },
  );
}

/** Reads the fields of a form. A body over the limit of the API has no fields. */
async function readForm(request: Request): Promise<URLSearchParams> {
  try {
    const bytes = await readBoundedBytes(request.body, MAX_BODY_BYTES);
    return new URLSearchParams(new TextDecoder().decode(bytes));
  } catch (error) {
    if (error instanceof BodyTooLargeError) return new URLSearchParams();
    throw error;
  }
}

/** Redirects to a page, which the browser then requests with GET (RFC 9110, section 15.4.4). */
function redirect(path: string): Response {
  return new Response(null, { status: 303, headers: { location: path, 'cache-control': 'no-store' } });
}
