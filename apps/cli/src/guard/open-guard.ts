import { createGuard, fetchKeys, type Guard, type PublicKeyJwk } from '@touchstone/guard';
import { readServiceUrl } from '../buy/service/read-service-url.ts';
import { readSandboxFile } from '../buy/service/sandbox-file.ts';
import type { ServiceOptions } from '../buy/buy-options.ts';
import { CliError } from '../cli-error.ts';
import { createNoSandboxError } from '../network/open-sandbox.ts';
import { toPlainText } from '../terminal/plain-text.ts';
import { readTrustedKeys } from '../verify/key-ring.ts';
import type { SourceOptions } from '../verify/read-source.ts';
import { readPolicy, type PolicyFlags } from './policy-options.ts';
import { LOOKUP_TIMEOUT_MS, type TrustedService } from './service-summary.ts';

/** Options that select the service, its keys and the policy. */
export interface OpenGuardOptions extends ServiceOptions, PolicyFlags {
  readonly keys?: string;
}

/** A guard, and the service whose statements it checks. */
export interface OpenedGuard {
  readonly guard: Guard;
  readonly service: TrustedService;
}

/**
 * Creates the guard that the options of a command describe.
 *
 * @param source access to the keys of `--keys`
 * @throws CliError for an invalid option, and without keys
 */
export async function openGuard(options: OpenGuardOptions, source: SourceOptions): Promise<OpenedGuard> {
  const policy = readPolicy(options);
  const { origin } = findServiceUrl(options);
  const keys =
    options.keys === undefined
      ? await fetchServiceKeys(origin)
      : (await readTrustedKeys(options.keys, source)).keys.keys;
  const guard = createGuard({ service: origin, keys, policy, timeoutMs: LOOKUP_TIMEOUT_MS });
  return { guard, service: { origin, keys } };
}

function findServiceUrl({ service, sandbox, dataDir }: ServiceOptions): URL {
  if (sandbox === true) {
    const file = readSandboxFile(dataDir);
    if (file === null) throw createNoSandboxError(dataDir);
    return readServiceUrl(file.serviceUrl);
  }
  if (service !== undefined) return readServiceUrl(service);
  throw new CliError(
    'No service is configured. Give the URL of a Touchstone service with --service or TOUCHSTONE_SERVICE, ' +
      'or use --sandbox for the service of npm start.',
  );
}

async function fetchServiceKeys(service: string): Promise<readonly PublicKeyJwk[]> {
  try {
    return await fetchKeys(service);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new CliError(`${toPlainText(reason)} Give the keys of the service with --keys.`, { cause });
  }
}
