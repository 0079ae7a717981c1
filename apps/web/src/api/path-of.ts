/** Longest path that an answer repeats, in UTF-16 units; it bounds `instance` in the contract, too. */
const LONGEST = 8_192;

/** The path of a request's URL, as it was sent: percent-encoded, so that it is plain ASCII, and without its query. */
export function pathOf(url: string): string {
  return (URL.parse(url)?.pathname ?? '/').slice(0, LONGEST);
}
