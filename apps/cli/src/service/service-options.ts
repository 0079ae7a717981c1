import { isLoopbackHost } from '@touchstone/common';
import { type Command, Option } from 'commander';
import { CliError } from '../command-tools.ts';
import { readSandboxFile } from '../network/sandbox-file.ts';
import { readUrl } from '../network/read-source.ts';

export interface ServiceOptions {
  readonly service?: string | undefined;
  readonly sandbox?: true;
  readonly dataDir: string;
}

/** @throws CliError for a command line with both --service and --sandbox */
export function assertOneService(command: Command): void {
  const { sandbox } = command.optsWithGlobals<ServiceOptions>();
  if (sandbox === true && command.getOptionValueSource('service') === 'cli')
    throw new CliError('Give --service or --sandbox, not both.');
}

/**
 * Parses the URL of a service. Plain HTTP is allowed only for loopback hosts: an attacker on the network could replace
 * the receiving wallet in the quote, or read the secret of a watch.
 *
 * @throws CliError for a URL that must not be used
 */
function readServiceUrl(text: string): URL {
  const url = readUrl(text, { isPublic: false });
  if (url.pathname + url.search + url.hash !== '/')
    throw new CliError(`The URL of the service must be without a path. Use ${url.origin}.`);
  if (url.protocol !== 'https:' && !isLoopbackHost(url.hostname)) {
    throw new CliError(
      `${url.origin} is not HTTPS. An attacker on the network could read the request, or replace the receiving wallet. No request was sent.`,
    );
  }
  return url;
}

/**
 * Returns the URL of the service that the options select. @throws CliError when no option and no variable names a
 * service
 */
export function findServiceUrl({ service, sandbox, dataDir }: ServiceOptions): URL {
  if (sandbox === true) return readServiceUrl(readSandboxFile(dataDir).serviceUrl);
  if (service !== undefined) return readServiceUrl(service);
  throw new CliError(
    'No service is configured. Give the URL of a Touchstone service with --service or TOUCHSTONE_SERVICE, ' +
      'or use --sandbox for the service of npm start.',
  );
}

/** Adds the options of `ServiceOptions` to a command. @param sandboxHelp help text of --sandbox */
export function addServiceOptions(
  command: Command,
  sandboxHelp = 'use the service that npm start runs on this machine',
): Command {
  return command
    .addOption(new Option('--service <url>', 'URL of the Touchstone service').env('TOUCHSTONE_SERVICE'))
    .option('--sandbox', sandboxHelp)
    .addOption(
      new Option('--data-dir <folder>', 'data folder of that service').env('DATA_DIR').default('.touchstone'),
    );
}

/** Options that select the service and the wallet. Printed commands for the same service repeat these options. */
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

/** Lists the options of this command line that select the service, for use in another command line. */
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
