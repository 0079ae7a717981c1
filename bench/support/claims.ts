import { MINUTE_MS } from '@touchstone/common';
import { buildCatalogSql, buildClaimSql, buildLeaseSql, parseClaim, START_MS } from './catalog.ts';
import { formatNumber, median, printTable, quantile, sum } from './figures.ts';
import { quoteSql, type Postgres, type Session } from './postgres.ts';

/** Number of endpoints of the large catalog. */
const ENDPOINT_COUNT = Number(process.env['BENCH_ENDPOINTS'] ?? 1_000_000);
const SLOTS_PER_CLAIM = 500;
const CLAIM_COUNT = 24;
/** Maximum time of a claim of 500 probe slots, in milliseconds. */
const LIMIT_MS = 50;
/**
 * Virtual time between two claims of 500 probe slots, in milliseconds. At this rate, all endpoints are claimed once in
 * 30 minutes.
 */
const STEP_MS = (SLOTS_PER_CLAIM / (ENDPOINT_COUNT / 1_800)) * 1_000;
/** Virtual time of the first claim: one minute after the first probes are due, because workers claim every minute. */
const FIRST_CLAIM_MS = START_MS + MINUTE_MS;
const FEW_HOSTS = 150;
const ENDPOINTS_PER_FEW_HOST = 100;
/** Time at which the endpoints of the 150 hosts (`FEW_HOSTS`) are due. No other endpoint is due at this time. */
const FEW_HOSTS_DUE_MS = START_MS - 10 * MINUTE_MS;
/**
 * Virtual time between two claims of the 150 hosts, in milliseconds. During this time, the rate limit allows four
 * probes per host.
 */
const FEW_HOSTS_STEP_MS = 2_500;

interface Schedule {
  readonly name: string;
  readonly owner: string;
  /** Virtual time of the first claim (`from`), and virtual time between two claims (`stepMs`), in milliseconds. */
  readonly from: number;
  readonly stepMs: number;
  /** `true` if the plain writes (`buildPlainWritesSql`) run after each claim, for comparison. */
  readonly isCompared: boolean;
}

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

/** Runs the claims of one worker one after the other, and returns a table row. */
async function measureClaims(
  session: Session,
  { name, owner, from, stepMs, isCompared }: Schedule,
): Promise<readonly string[]> {
  const claims: { ms: number; cpuMs: number; slots: number; plainCpuMs: number }[] = [];
  for (let claim = 0; claim < CLAIM_COUNT; claim += 1) {
    const at = from + claim * stepMs;
    const { ms, cpuMs, output } = await session.time(buildClaimSql(owner, at, SLOTS_PER_CLAIM));
    const slots = parseClaim(output);
    const plain = isCompared ? await session.time(buildPlainWritesSql(at, slots)) : null;
    claims.push({ ms, cpuMs, slots: slots.length, plainCpuMs: plain?.cpuMs ?? Number.NaN });
  }
  const ms = claims.map((claim) => claim.ms);
  const slots = sum(claims.map((claim) => claim.slots));
  return [
    name,
    formatNumber(median(ms), 1),
    formatNumber(quantile(ms, 0.95), 1),
    formatNumber(median(claims.map(({ cpuMs }) => cpuMs)), 1),
    formatNumber(slots / CLAIM_COUNT),
    formatNumber(slots / (sum(ms) / 1_000)),
    formatNumber(median(ms) / LIMIT_MS, 2),
    isCompared ? formatNumber(median(claims.map(({ cpuMs, plainCpuMs }) => cpuMs / plainCpuMs)), 2) : '',
  ];
}

/**
 * Measures claims of the 150 hosts. Then deletes these hosts, because later claims would otherwise contain their
 * expired leases.
 */
async function measureFewHosts(session: Session, schedule: Schedule): Promise<readonly string[]> {
  const row = await measureClaims(session, schedule);
  await session.run(`delete from public.endpoints where host like 'few%'`);
  return row;
}

/** Stores the large catalog. 150 of its hosts have many due endpoints each. */
async function loadLargeCatalog({ version }: Postgres, session: Session): Promise<void> {
  const listed = await session.time(buildCatalogSql(ENDPOINT_COUNT));
  await session.run(
    buildCatalogSql(FEW_HOSTS * ENDPOINTS_PER_FEW_HOST, {
      first: ENDPOINT_COUNT + 1,
      hostSql: `'few' || n % ${FEW_HOSTS} || '.example.com'`,
      dueAt: FEW_HOSTS_DUE_MS,
    }),
  );
  console.log(
    `PostgreSQL ${version}, ${formatNumber(ENDPOINT_COUNT)} endpoints, listed in ${formatNumber(listed.ms / 1_000)} s`,
  );
}

/**
 * Measures claims of 500 probe slots (planned probes) in a large catalog: by one worker, by two in parallel, and when
 * only 150 hosts have due endpoints. Compares the elapsed time with the limit of 50 ms, and the CPU time with plain
 * writes of the same rows.
 */
export async function compareClaims(postgres: Postgres): Promise<void> {
  const [first, second] = [postgres.session(), postgres.session()];
  await loadLargeCatalog(postgres, first);
  const few = {
    name: `one worker, ${FEW_HOSTS} hosts due`,
    ...{ owner: 'few', from: FEW_HOSTS_DUE_MS, stepMs: FEW_HOSTS_STEP_MS, isCompared: true },
  };
  const one = {
    ...{ name: 'one worker', owner: 'one', from: FIRST_CLAIM_MS, stepMs: STEP_MS, isCompared: true },
  };
  // Two workers together claim twice as many probes, so the virtual clock of each worker advances by two steps per
  // claim.
  const parallel = { from: FIRST_CLAIM_MS + 2 * MINUTE_MS, stepMs: 2 * STEP_MS, isCompared: false };
  const rows = [
    [
      '',
      'p50 ms',
      'p95 ms',
      'CPU ms',
      'slots/claim',
      'slots/s',
      `p50 / ${LIMIT_MS} ms`,
      'CPU / plain writes',
    ],
    await measureFewHosts(first, few),
    await measureClaims(first, one),
    ...(await Promise.all(
      [first, second].map((session, index) => {
        const worker = `worker ${index + 1}`;
        return measureClaims(session, { ...parallel, name: `two in parallel, ${worker}`, owner: worker });
      }),
    )),
  ];
  console.log(
    `${CLAIM_COUNT} claims of ${SLOTS_PER_CLAIM} slots, one every ${formatNumber(STEP_MS)} ms of virtual time:`,
  );
  printTable(rows);
  const twice = await first.run(
    'select count(*) - count(distinct endpoint_id) from public.leases where not is_recheck',
  );
  console.log(`Slots leased twice: ${twice.trim()}\n`);
  await Promise.all([first.close(), second.close()]);
}
