import { CallError, type ToolCall } from '@touchstone/mcp';
import { inspect } from 'node:util';
import { CliError, type CliErrorCode } from '../cli-error.ts';
import type { CommandTools } from '../run.ts';

/** Next step of the agent after each error of this server. `{tool}` is the name of the called tool. */
const NEXT_STEPS: Readonly<Record<CliErrorCode | 'cancelled' | 'internal', string>> = {
  'limit-exceeded':
    'Tell the user which limit is reached. Only the user can restart touchstone mcp with a higher limit. Do not repeat the call before that. The free tools still work.',
  'no-wallet':
    'Tell the user that touchstone mcp has no usable wallet. Do not ask for the private key. The free tools work without a wallet.',
  'network-not-allowed':
    'Tell the user. Only the user can restart touchstone mcp with another --network. The free tools still work.',
  'quote-rejected':
    'Tell the user: the service requires payment terms that must not be signed. Do not pay it in another way.',
  'service-unreachable':
    'Call {tool} again in a minute. If it fails again, tell the user to check --service of touchstone mcp.',
  'invalid-response':
    'Call {tool} again in a minute. If it fails again, tell the user to check --service of touchstone mcp.',
  'insufficient-funds':
    'Tell the user to add USDC to the wallet. Do not repeat the call before that. The free tools still work.',
  'payment-failed': 'Tell the user the reason. Repeat the call only if the reason has been removed.',
  'payment-open':
    'Call {tool} again with exactly the same arguments. It sends the same payment, which is charged at most once.',
  'purchase-in-progress': 'Call {tool} again in a minute with the same arguments.',
  cancelled: 'Call {tool} again with the same arguments if you need its result. It is charged at most once.',
  internal: 'Tell the user to read the standard error of touchstone mcp.',
};

/** Converts an error of a call. The details of an unexpected error are only logged, because they may be private. */
export function toCallError(error: unknown, call: ToolCall, { printMessage }: CommandTools): CallError {
  if (error instanceof CliError)
    return createCallError(error.message, error.code ?? 'internal', { call, error });
  if (call.signal.aborted) return createCallError('The call was cancelled.', 'cancelled', { call });
  printMessage(`Touchstone failed: ${inspect(error)}`);
  return createCallError('touchstone mcp failed.', 'internal', { call });
}

function createCallError(
  message: string,
  code: keyof typeof NEXT_STEPS,
  { call: { tool, request }, error }: { readonly call: ToolCall; readonly error?: CliError },
): CallError {
  const isPaid = request.operation.priceUsd !== null;
  const nextStep = NEXT_STEPS[code].replaceAll('{tool}', tool.name);
  return new CallError(message, { code, nextStep, notCharged: isPaid && error?.notCharged === true });
}
