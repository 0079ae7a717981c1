import { z } from 'zod';

/** How endpoints are asked for a report that is sold. */
export interface ProbeConfig {
  /** Where the sandbox of this machine is; then nobody outside of it is asked. */
  readonly sandboxFile: string | undefined;
  /** Who asks, in the words of a header; the service's own name unless set. */
  readonly userAgent: string | undefined;
  /** Addresses that answer whenever this machine reaches anybody. */
  readonly canaryUrls: readonly string[];
  /** Name servers to ask instead of the system's. */
  readonly nameServers: readonly string[] | undefined;
  /** For tests alone. */
  readonly allowPrivate: boolean;
}

const wordList = z
  .string()
  .default('')
  .transform((text) => text.split(/[\s,]+/).filter((word) => word !== ''));
const optionalText = z.preprocess((value) => (value === '' ? undefined : value), z.string().optional());

/** The variables of probes; the service on one machine sets them as it probes itself. */
export const probeEnvironment = {
  SANDBOX_FILE: optionalText,
  PROBE_USER_AGENT: optionalText,
  CANARY_URLS: wordList.pipe(
    z.array(z.url({ protocol: /^https?$/, error: 'must be http or https addresses' })),
  ),
  NAME_SERVERS: wordList,
  ALLOW_PRIVATE: z.enum(['', 'for-tests'], { error: 'must be for-tests or nothing' }).default(''),
};

type ProbeVariables = z.output<z.ZodObject<typeof probeEnvironment>>;

export function toProbeConfig(variables: ProbeVariables): ProbeConfig {
  const { NAME_SERVERS: nameServers } = variables;
  return {
    sandboxFile: variables.SANDBOX_FILE,
    userAgent: variables.PROBE_USER_AGENT,
    canaryUrls: variables.CANARY_URLS,
    nameServers: nameServers.length === 0 ? undefined : nameServers,
    allowPrivate: variables.ALLOW_PRIVATE === 'for-tests',
  };
}
