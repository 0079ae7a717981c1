import { toPlainText } from '../../terminal/plain-text.ts';
import type { TextStyle } from '../../terminal/text-style.ts';

/** Indent of all lines of a list item except the first, in columns: the widest rank is `25. `. */
export const ITEM_INDENT = '    ';
const MAX_URL_CHARS = 3_000;

/** An endpoint in a printed list. */
export interface ListItem {
  /** Position in the list, from 1. */
  readonly rank: number;
  /** First line, without control characters, which may be colored. */
  readonly verdict: string;
  /** URL of the endpoint. It is untrusted. */
  readonly resource: string;
  /** Wrapped lines on the endpoint, with the indent. */
  readonly details: readonly string[];
  /** URL of the page of the endpoint. It is untrusted. */
  readonly endpointPage: string;
}

/** Formats an endpoint in a list. URLs are on separate lines and not wrapped, so that they can be copied. */
export function formatListItem(
  { rank, verdict, resource, details, endpointPage }: ListItem,
  { paint }: TextStyle,
): string[] {
  return [
    `${`${String(rank)}.`.padStart(ITEM_INDENT.length - 1)} ${verdict}`,
    ITEM_INDENT + paint('bold', toPlainText(resource, MAX_URL_CHARS)),
    ...details,
    ITEM_INDENT + paint('dim', toPlainText(endpointPage, MAX_URL_CHARS)),
  ];
}
