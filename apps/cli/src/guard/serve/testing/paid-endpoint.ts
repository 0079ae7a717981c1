import { createChallengeHeaders, createEnvelope } from '../../../testing/saved-response.ts';
import { type Running, startServer } from '../../../testing/serve.ts';

/** Endpoint that requires payment, and delivers for each payment. */
export interface PaidEndpoint extends Running {
  readonly url: string;
  /** Received PAYMENT-SIGNATURE headers, in order. */
  readonly payments: readonly string[];
  /** True to close the connection in place of the next response to a payment. */
  losesResponse: boolean;
}

/** Starts an endpoint that delivers without checking the payment. @param option changed members of the payment option */
export async function startPaidEndpoint(
  option: Readonly<Record<string, unknown>> = {},
): Promise<PaidEndpoint> {
  const payments: string[] = [];
  const endpoint = { losesResponse: false };
  const server = await startServer((request, response) => {
    const url = `http://${request.headers.host ?? ''}${request.url ?? ''}`;
    const { 'payment-signature': payment } = request.headers;
    if (typeof payment !== 'string') {
      response.writeHead(402, createChallengeHeaders(createEnvelope(url, option))).end('{}');
      return;
    }
    payments.push(payment);
    if (endpoint.losesResponse) request.socket.destroy();
    else response.end('the weather');
    endpoint.losesResponse = false;
  });
  return Object.assign(endpoint, {
    ...{ ...server, payments },
    url: `http://127.0.0.1:${String(server.port)}/v1/weather`,
  });
}
