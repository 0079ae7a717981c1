import type { Command } from 'commander';

/** Options that select the service and the wallet. A command that continues a purchase repeats them. */
const SERVICE_OPTIONS = [
  { attribute: 'sandbox', flag: '--sandbox' },
  { attribute: 'dataDir', flag: '--data-dir' },
  { attribute: 'service', flag: '--service' },
] as const;

/** Characters that no shell interprets. */
const SAFE_WORD = /^[\w./:@%+=,-]+$/;

/**
 * Formats the command line that buys the alternatives to an endpoint from the same service. Environment variables stay
 * set, so only the options of this command line are repeated.
 *
 * @param command command of this run
 * @param options further options with their values
 */
export function formatSimilarLine(
  resource: string,
  command: Command,
  options: readonly string[] = [],
): string {
  const repeated = SERVICE_OPTIONS.flatMap(({ attribute, flag }) => {
    if (command.getOptionValueSource(attribute) !== 'cli') return [];
    const value: unknown = command.getOptionValue(attribute);
    return typeof value === 'string' ? [flag, quote(value)] : [flag];
  });
  return ['touchstone similar', ...options, ...repeated, quote(resource)].join(' ');
}

/** Quotes a word for a POSIX shell or PowerShell. A URL with `&` would otherwise start a second command. */
function quote(word: string): string {
  return SAFE_WORD.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
}
