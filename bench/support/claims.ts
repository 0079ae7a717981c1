import { MINUTE_MS } from '@touchstone/common';
import { buildCatalogSql, buildClaimSql, buildLeaseSql, parseClaim, START_MS } from './catalog.ts';
import { formatNumber, median, printTable } from './figures.ts';
import { quoteSql, type Postgres } from './postgres.ts';

/** Number of endpoints of the large catalog. */
const ENDPOINT_COUNT = Number(process.env['BENCH_ENDPOINTS'] ?? 1_000_000);
const SLOTS_PER_CLAIM = 500;
const CLAIM_COUNT = 24;
/** Maximum time of a claim of 500 probe slots, in milliseconds. */
const LIMIT_MS = 40;
/**
 * Virtual time between two claims of 500 probe slots, in milliseconds. At this rate, all endpoints are claimed once in
 * 30 minutes.
 */
const STEP_MS = (SLOTS_PER_CLAIM / (ENDPOINT_COUNT / 1_800)) * 1_000;
/** Virtual time of the first claim: one minute after the first probes are due, because workers claim every minute. */
const FIRST_CLAIM_MS = START_MS + MINUTE_MS;

/**
 * Returns SQL that writes the same rows as a claim of the given slots: schedules, hosts and leases. Its CPU time is the
 * lower bound for a claim, because a claim also selects the slots.
 */
function buildPlainWritesSql(at: number, slots: ReturnType<typeof parseClaim>): string {
  const ids = quoteSql(`{${slots.map(({ endpointId }) => endpointId).join(',')}}`);
  const hosts = quoteSql(`{${[...new Set(slots.map(({ host }) => host))].join(',')}}`);
  return `begin;
    update public.schedules set next_probe_at = next_probe_at + interval '30 minutes' where endpoint_id = any (${ids});
    update public.host_queues set not_before = not_before + interval '2 seconds', next_due_at = next_due_at + interval '2 seconds'
      where host = any (${hosts});
    ${buildLeaseSql('plain', at + 30 * MINUTE_MS, slots)};
    rollback`;
}

/**
 * Measures claims of 500 probe slots (planned probes) by one worker in a large catalog. Compares the elapsed time with
 * the limit of 40 ms, and the CPU time with plain writes of the same rows.
 */
export async function compareClaims({ version, session: open }: Postgres): Promise<void> {
  const session = open();
  await session.run(buildCatalogSql(ENDPOINT_COUNT));
  const claims: { ms: number; cpuMs: number; ratio: number }[] = [];
  for (let claim = 0; claim < CLAIM_COUNT; claim += 1) {
    const at = FIRST_CLAIM_MS + claim * STEP_MS;
    const { ms, cpuMs, output } = await session.time(buildClaimSql('bench', at, SLOTS_PER_CLAIM));
    const slots = parseClaim(output);
    const plain = await session.time(buildPlainWritesSql(at, slots));
    claims.push({ ms, cpuMs, ratio: cpuMs / plain.cpuMs });
  }
  await session.close();
  const ms = median(claims.map((claim) => claim.ms));
  console.log(
    `PostgreSQL ${version}, ${formatNumber(ENDPOINT_COUNT)} endpoints, medians of ${CLAIM_COUNT} claims of ` +
      `${SLOTS_PER_CLAIM} slots, one every ${formatNumber(STEP_MS)} ms of virtual time:`,
  );
  printTable([
    ['ms', 'CPU ms', `ms / ${LIMIT_MS} ms`, 'CPU / plain writes'],
    [
      formatNumber(ms, 1),
      formatNumber(median(claims.map(({ cpuMs }) => cpuMs)), 1),
      formatNumber(ms / LIMIT_MS, 2),
      formatNumber(median(claims.map(({ ratio }) => ratio)), 2),
    ],
  ]);
}
