import { BodyTooLargeError, readBoundedBytes } from '@touchstone/common';
import { MAX_BODY_BYTES } from '@touchstone/contract';

/**
 * Returns true if the body of a request is longer than the limit of the API. Reading stops at the first chunk that
 * exceeds the limit.
 *
 * @param request Request whose body is consumed, unless `Content-Length` declares its length.
 */
export async function exceedsBodyLimit(request: Request): Promise<boolean> {
  const declared = Number(request.headers.get('content-length') ?? 0);
  if (declared > MAX_BODY_BYTES) return true;
  if (declared > 0) return false;
  try {
    await readBoundedBytes(request.body, MAX_BODY_BYTES);
    return false;
  } catch (error) {
    if (error instanceof BodyTooLargeError) return true;
    throw error;
  }
}
