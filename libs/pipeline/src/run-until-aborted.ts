/**
 * Runs an operation until the signal is aborted. Then it rejects at once, and the result of the operation is ignored.
 *
 * @param createError creates the error with which it rejects when the signal is aborted before or during the operation
 */
export async function runUntilAborted<Result>(
  run: () => Promise<Result>,
  signal: AbortSignal,
  createError: () => Error,
): Promise<Result> {
  if (signal.aborted) throw createError();
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const abort = (): void => reject(createError());
  signal.addEventListener('abort', abort, { once: true });
  try {
    return await Promise.race([run(), aborted]);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}
