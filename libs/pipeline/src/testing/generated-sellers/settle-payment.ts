import type { SharedSandbox } from '@touchstone/common/testing';

/** A payment and the payment option for which it was signed. */
interface SignedOption {
  readonly payment: unknown;
  readonly option: unknown;
}

async function post(
  url: string,
  body: unknown,
): Promise<{ status: number; result: Record<string, unknown> }> {
  // The servers close idle connections, so a request on an old connection could fail.
  const headers = { 'content-type': 'application/json', connection: 'close' };
  const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
  // The cast is safe, because the facilitator and the chain respond with JSON objects.
  return { status: response.status, result: (await response.json()) as Record<string, unknown> };
}

/** Token balance of a wallet, in atomic units. */
interface Balance {
  readonly wallet: string;
  readonly token: string;
  readonly amount: bigint;
}

/** Sets the token balance of a wallet on a chain of the sandbox. */
export async function setBalance(chainRpcUrl: string, { wallet, token, amount }: Balance): Promise<void> {
  const params = [wallet, token, `0x${amount.toString(16)}`];
  await post(chainRpcUrl, { jsonrpc: '2.0', id: 1, method: 'anvil_dealERC20', params });
}

/**
 * Verifies and settles a payment with the reference facilitator of the sandbox. Returns null when it settles, otherwise
 * the error reason of the facilitator; undefined if the schema of the facilitator refuses the request.
 */
export async function settlePayment(
  { facilitatorUrl }: Pick<SharedSandbox, 'facilitatorUrl'>,
  { payment, option }: SignedOption,
): Promise<string | null | undefined> {
  const body = { paymentPayload: payment, paymentRequirements: option };
  const verified = await post(`${facilitatorUrl}/verify`, body);
  if (verified.status !== 200) return undefined;
  if (verified.result['isValid'] !== true) return String(verified.result['invalidReason']);
  const { result } = await post(`${facilitatorUrl}/settle`, body);
  return result['success'] === true ? null : String(result['errorReason']);
}
