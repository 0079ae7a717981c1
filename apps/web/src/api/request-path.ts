import { TEXT_LIMITS } from '@touchstone/contract';

/**
 * Returns the path of a URL without the query. The path is percent-encoded, so it contains only ASCII characters. It is
 * cut to the limit of the member `instance` of an error, which repeats it.
 */
export function getRequestPath(url: string): string {
  return (URL.parse(url)?.pathname ?? '/').slice(0, TEXT_LIMITS.resource);
}
