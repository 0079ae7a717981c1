import { readServiceAddresses } from '../service-files.ts';

interface FacilitatorReply {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
}

/** Sends a request to the facilitator of the sandbox: POST with a JSON body, or GET without a body. */
export async function callFacilitator(path: string, body?: object): Promise<FacilitatorReply> {
  const { facilitatorUrl } = readServiceAddresses().chains;
  const headers = { 'content-type': 'application/json' };
  const init = body === undefined ? {} : { method: 'POST', headers, body: JSON.stringify(body) };
  const response = await fetch(`${facilitatorUrl}${path}`, init);
  // The facilitator responds with a JSON object, so the cast is safe.
  return { status: response.status, body: (await response.json()) as FacilitatorReply['body'] };
}
