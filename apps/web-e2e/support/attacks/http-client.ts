import { Agent, request } from 'node:http';
import { text } from 'node:stream/consumers';

/** Request to a site. */
interface HttpRequest {
  readonly method?: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** JSON body. */
  readonly body?: unknown;
  /** Aborts the request. The promise of the request then rejects. */
  readonly signal?: AbortSignal;
}

export interface HttpReply {
  readonly status: number;
  /** Returns a header by its name in lower case; empty if the response has none. */
  readonly header: (name: string) => string;
  /** Size of the status line and all headers as transferred, in bytes. */
  readonly headBytes: number;
  readonly body: string;
}

/** HTTP client with a separate IP address, so that the site counts its requests separately. */
export interface HttpClient {
  readonly send: (request: HttpRequest) => Promise<HttpReply>;
  readonly close: () => void;
}

/** Returns the size of the status line and the headers of a response, in bytes. */
function countHeadBytes(status: string, rawHeaders: readonly string[]): number {
  const fields = rawHeaders.reduce((sum, part) => sum + Buffer.byteLength(part, 'latin1') + 2, 0);
  // Each header is `name: value` and a line break. The status line and the empty last line also end with a line break.
  return `HTTP/1.1 ${status}\r\n\r\n`.length + fields;
}

/**
 * Creates a client that connects from a loopback address, such as 127.0.0.2. Linux accepts every address that starts
 * with 127.
 *
 * @param url URL of the site
 * @param options.keepAlive true if several requests use one connection. A request fails if the site closes the
 * connection just before the request
 */
export function createHttpClient(
  url: string,
  localAddress: string,
  { keepAlive = false }: { readonly keepAlive?: boolean } = {},
): HttpClient {
  const agent = new Agent({ keepAlive, localAddress });
  const { port } = new URL(url);
  const send = ({ method = 'GET', path, headers = {}, body, signal }: HttpRequest): Promise<HttpReply> =>
    new Promise((resolve, reject) => {
      const json = body === undefined ? undefined : JSON.stringify(body);
      const type = json === undefined ? {} : { 'content-type': 'application/json' };
      const options = {
        ...{ agent, method, path, host: '127.0.0.1', port, headers: { ...type, ...headers } },
        ...(signal === undefined ? {} : { signal }),
      };
      request(options, (response) => {
        const { statusCode = 0, statusMessage = '', rawHeaders } = response;
        text(response).then(
          (read) =>
            resolve({
              status: statusCode,
              header: (name) => [response.headers[name]].flat().join(', '),
              headBytes: countHeadBytes(`${statusCode} ${statusMessage}`, rawHeaders),
              body: read,
            }),
          reject,
        );
      })
        .on('error', reject)
        .end(json);
    });
  return { send, close: () => agent.destroy() };
}
