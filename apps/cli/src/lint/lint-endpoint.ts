import { checkEndpoint, NotCheckedError, type Advice, type CheckNetwork } from '@touchstone/check';
import { CliError } from '../command-tools.ts';
import type { LintResult } from './lint-result.ts';

/** Next steps on the command line. */
export const ADVICE: Advice = {
  checkSaved: 'and lint it with --file',
  chooseMethod: (method) => `try --method ${method}`,
  trustAuthority: 'If you trust the authority that issued the certificate, give its PEM file with --ca.',
};

interface LintEndpointOptions {
  readonly url: URL;
  /** HTTP method to use. If undefined, GET is tried, and then POST. */
  readonly method: string | undefined;
  /** Current time in milliseconds since the epoch. */
  readonly now: number;
}

const REASONS: Readonly<Record<NotCheckedError['kind'], string>> = {
  'self-failure': 'The endpoint was not checked.',
  offline: 'The endpoint was not checked.',
  'refused-address': 'Use --allow-private to connect to your own machine or network.',
  'unknown-name': 'Names under .test do not exist on the internet. For names of the sandbox, use --sandbox.',
};

/**
 * Checks an endpoint for the command line; see `checkEndpoint`.
 *
 * @throws CliError when the endpoint was not checked: its address is not allowed, or the request failed on this machine
 */
export async function lintEndpoint(options: LintEndpointOptions, network: CheckNetwork): Promise<LintResult> {
  try {
    return await checkEndpoint({ ...options, advice: ADVICE }, network);
  } catch (error) {
    if (error instanceof NotCheckedError) throw new CliError(`${error.message}. ${REASONS[error.kind]}`);
    throw error;
  }
}
