import type { ServerContext } from '@modelcontextprotocol/server';
import type { Tool } from '@touchstone/contract';

const PROGRESS_INTERVAL_MS = 1_000;

/**
 * Runs a call and reports its progress: at the start and every second, with the seconds that have passed. Only slow
 * tools report progress, and only to clients that sent a progress token. The total time of a call is not known.
 */
export async function withProgress<Result>(
  tool: Tool,
  { mcpReq }: ServerContext,
  run: () => Promise<Result>,
): Promise<Result> {
  const progressToken = mcpReq._meta?.progressToken;
  if (!tool.isSlow || progressToken === undefined) return run();
  const report = (seconds: number): void => {
    const message = seconds === 0 ? `${tool.title}: started.` : `${tool.title}: ${String(seconds)} s.`;
    const params = { progressToken, progress: seconds, message };
    // A failed notification means that the client has disconnected. The call then ends by its abort signal.
    mcpReq.notify({ method: 'notifications/progress', params }).catch(() => undefined);
  };
  let seconds = 0;
  report(seconds);
  const timer = setInterval(() => {
    seconds += 1;
    report(seconds);
  }, PROGRESS_INTERVAL_MS);
  try {
    return await run();
  } finally {
    clearInterval(timer);
  }
}
