/** 64 KiB, the limit of every request body (decided with the errors of the contract). */
const MOST_BYTES = 64 * 1024;

/**
 * Does a body exceed what is read of one? Where it does not say how long it is, no more of it is read than that.
 *
 * @param request its body is used up unless its length was declared
 */
export async function exceedsLimit(request: Request): Promise<boolean> {
  const declared = Number(request.headers.get('content-length') ?? 0);
  if (declared > MOST_BYTES) return true;
  if (declared > 0 || request.body === null) return false;
  let bytes = 0;
  const reader = request.body.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return false;
    bytes += value.byteLength;
    if (bytes > MOST_BYTES) {
      await reader.cancel();
      return true;
    }
  }
}
