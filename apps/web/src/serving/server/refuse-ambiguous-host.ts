import type { IncomingMessage, RequestListener } from 'node:http';

const REFUSAL =
  'The request names several hosts. Send one Host header, with the host of the URL that you request.\n';

/**
 * Returns a listener that refuses requests with an ambiguous host (RFC 9112, section 3.2). A proxy and the site could
 * read different hosts from such a request, so a cache between them could store a response under a wrong URL.
 */
export function refuseAmbiguousHost(listener: RequestListener): RequestListener {
  return (request, response) => {
    if (hasAmbiguousHost(request)) {
      const headers = {
        'access-control-allow-origin': '*',
        connection: 'close',
        'content-type': 'text/plain',
      };
      response.writeHead(400, headers).end(REFUSAL);
    } else {
      listener(request, response);
    }
  };
}

/**
 * Returns true if a request has several `Host` headers, or a target in absolute form with another host than its `Host`
 * header. Node keeps only the first `Host` header in `headers`.
 */
function hasAmbiguousHost({ headersDistinct: { host = [] }, url = '' }: IncomingMessage): boolean {
  const target = url.startsWith('/') ? null : URL.parse(url);
  const isOther = (name: string) => URL.parse(`${String(target?.protocol)}//${name}`)?.host !== target?.host;
  return host.length > 1 || (target !== null && target.host !== '' && host.some(isOther));
}
