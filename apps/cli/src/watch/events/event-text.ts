import { formatTime } from '../../terminal/format-figures.ts';
import { toPlainText } from '../../terminal/plain-text.ts';
import type { TextStyle } from '../../terminal/text-style.ts';
import { wrapAnywhere } from '../../terminal/wrap.ts';
import type { ReceivedEvent } from '../received-watch.ts';

/** Maximum printed length of a summary, in UTF-16 units; `--json` prints all. */
const MAX_SUMMARY_CHARS = 1_000;
const COLORS = { critical: ['bold', 'red'], warning: 'yellow', info: 'green' } as const;

/** Formats an event: its number, time, severity and type on the first line, then its summary. */
export function formatEvent(event: ReceivedEvent, { paint, width }: TextStyle): string {
  const { type, severity, observed_at_iso: at, data } = event;
  const number = `#${String(data.sequence)}`.padEnd(5);
  const heading = `${number} ${formatTime(at)}  ${paint(COLORS[severity], severity.padEnd(8))}  ${paint('bold', type)}`;
  // The summary may contain text of the endpoint, so it is wrapped like untrusted text.
  const summary = wrapAnywhere(toPlainText(data.summary, MAX_SUMMARY_CHARS), '      ', width);
  return `${[heading, ...summary].join('\n')}\n`;
}
