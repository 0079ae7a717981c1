import type { Command } from 'commander';

/** Options that select the service and the wallet. A command on the same service repeats them. */
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
  return ['touchstone similar', ...options, ...listServiceOptions(command), quote(resource)].join(' ');
}

/** Lists the words of a command line that select the same service as the command line of this run. */
export function listServiceOptions(command: Command): readonly string[] {
  return SERVICE_OPTIONS.flatMap(({ attribute, flag }) => {
    if (command.getOptionValueSource(attribute) !== 'cli') return [];
    const value: unknown = command.getOptionValue(attribute);
    return typeof value === 'string' ? [flag, quote(value)] : [flag];
  });
}

/** Quotes a word for a POSIX shell or PowerShell. A URL with `&` would otherwise start a second command. */
export function quote(word: string): string {
  return SAFE_WORD.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
}
