import { z } from 'zod';

/** Settings of the live probe that is made for a paid report. */
export interface ProbeConfig {
  /** Path of the file with the addresses of the sandbox. If the path is set, only sandbox endpoints are probed. */
  readonly sandboxFile: string | undefined;
  /** `User-Agent` header of probes; defaults to the name of the service. */
  readonly userAgent: string | undefined;
  /** URLs that are expected to respond whenever this machine has network access. */
  readonly canaryUrls: readonly string[];
  /** Name servers for probes; defaults to the name servers of the system. */
  readonly nameServers: readonly string[] | undefined;
  /** Allows probes of private IP addresses. For tests only. */
  readonly allowPrivate: boolean;
}

const wordList = z
  .string()
  .default('')
  .transform((text) => text.split(/[\s,]+/).filter((item) => item !== ''));
const optionalText = z.preprocess((value) => (value === '' ? undefined : value), z.string().optional());

/** Environment variables of the live probe. `apps/service` sets them to the settings of its own probes. */
export const probeEnvironment = {
  SANDBOX_FILE: optionalText.meta({
    description: 'file with the addresses of the sandbox; only its endpoints are probed then. For tests only',
  }),
  PROBE_USER_AGENT: optionalText.meta({
    defaultText: '`Touchstone/0.1` with `BASE_URL`',
    description: 'User-Agent of probes. The service sets it with `SITE_URL`',
  }),
  CANARY_URLS: wordList.pipe(
    z.array(z.url({ protocol: /^https?$/, error: 'must be http or https addresses' })),
  ),
  NAME_SERVERS: wordList,
  ALLOW_PRIVATE: z.enum(['', 'for-tests'], { error: 'must be empty or "for-tests"' }).default(''),
};

type ProbeVariables = z.output<z.ZodObject<typeof probeEnvironment>>;

/** Converts environment variables to probe settings. */
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
