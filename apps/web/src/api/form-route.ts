import { BodyTooLargeError, readBoundedBytes } from '@touchstone/common';
import { MAX_BODY_BYTES } from '@touchstone/contract/shared/requests';
import type { Limiter } from './rate-limit/create-limiter.ts';
import { route, type ApiHandler } from './route.ts';

/** Reason why a form was not processed. */
export interface FormProblem {
  /** Code of the problem, such as `rate-limited`. */
  readonly code: string;
  /** Seconds after which the form can be sent again; null if the reason names no time. */
  readonly waitSeconds: number | null;
}

interface FormOptions {
  readonly limiter: Limiter;
  /** Processes the fields, and returns the path of the page to show. */
  readonly submit: (fields: URLSearchParams, request: Request) => Promise<string>;
  /** Returns the path of the form with the fields and the problem. */
  readonly toFormPath: (fields: URLSearchParams, problem: FormProblem) => string;
}

/**
 * Creates the handler of a form that browsers send with POST. Every response is a redirect, so that reloading a page does
 * not send its form again, and a client over its limit and an internal error lead back to the form.
 */
export function createFormHandler({ limiter, submit, toFormPath }: FormOptions): ApiHandler {
  return async (request) => {
    const fields = await readForm(request);
    const respond: ApiHandler = async (received) => redirect(await submit(fields, received));
    const response = await route({ POST: respond }, { limiter }).POST(request);
    if (response.status < 400) return response;
    // Every error response was created by this service from a problem, so the cast is safe.
    const { code } = (await response.json()) as { readonly code: string };
    const wait = response.headers.get('retry-after');
    return redirect(toFormPath(fields, { code, waitSeconds: wait === null ? null : Number(wait) }));
  };
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
