/** Maximum length of a path in a response, in UTF-16 code units. The contract has the same limit for `instance`. */
const MAX_PATH_LENGTH = 8_192;

/** Returns the path of a URL without the query. It is percent-encoded and therefore ASCII. */
export function getRequestPath(url: string): string {
  return (URL.parse(url)?.pathname ?? '/').slice(0, MAX_PATH_LENGTH);
}
