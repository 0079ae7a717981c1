/**
 * Maximum length of a request path that is repeated in a response, in UTF-16 code units. The contract has the same
 * limit for the member `instance` of an error.
 */
const MAX_PATH_LENGTH = 8_192;

/** Returns the path of a URL without the query. The path is percent-encoded, so it contains only ASCII characters. */
export function getRequestPath(url: string): string {
  return (URL.parse(url)?.pathname ?? '/').slice(0, MAX_PATH_LENGTH);
}
