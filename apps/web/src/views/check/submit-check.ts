import { createFormHandler, type FormProblem } from '../../api/form-route.ts';
import { checkLimiter, getQueueClient } from '../../api/rate-limit/limiters.ts';
import { runLiveCheck } from '../../operations/checks.ts';
import { CHECK_PROBLEMS, formatCheckQuery, parseCheckParams } from './check-params.ts';

/**
 * Checks the endpoint of a submitted form, and redirects to the page of the check. A failed check redirects to the form
 * with the reason as a code, so that a link to the page cannot contain a message of its author.
 */
export const submitCheck = createFormHandler({ limiter: checkLimiter, submit: check, toFormPath });

async function check(fields: URLSearchParams, request: Request): Promise<string> {
  const { url, method } = parseCheckParams(fields);
  if (url === null) return '/check';
  const outcome = await runLiveCheck({ resource: url, method, client: getQueueClient(request) });
  if (outcome.kind === 'result') {
    const { pathname, search } = new URL(outcome.body.check.checkPage);
    return `${pathname}${search}`;
  }
  const { code, retryAfterSeconds } = outcome;
  return toFormPath(fields, { code, waitSeconds: retryAfterSeconds ?? null });
}

function toFormPath(fields: URLSearchParams, { code, waitSeconds }: FormProblem): string {
  const { url, method } = parseCheckParams(fields);
  const problem = CHECK_PROBLEMS.find((each) => each === code) ?? 'failed';
  return `/check?${formatCheckQuery({ url, method, problem, waitSeconds })}`;
}
