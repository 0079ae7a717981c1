import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { HOUR_MS } from '@touchstone/common';
import { createSender, type Sender } from '@touchstone/probe';
import { createCipher } from '@touchstone/watch';
import { buildCatalogSql, claimSlots, START_MS } from './support/catalog.ts';
import { readBooks } from './support/delivery/books.ts';
import { checkRun, type Tally } from './support/delivery/checks.ts';
import { selectFault } from './support/delivery/faults.ts';
import { printRounds } from './support/delivery/print-rounds.ts';
import { measureRecordingCost } from './support/delivery/recording-cost.ts';
import { startReceivers } from './support/delivery/receivers.ts';
import {
  ALERTS_PER_ROUND,
  createClock,
  drainRest,
  runRound,
  type Bench,
  type Round,
} from './support/delivery/rounds.ts';
import { createWatches, recordTerms } from './support/delivery/watches.ts';
import { formatNumber } from './support/figures.ts';
import { startPostgres } from './support/postgres.ts';
import type { Session } from './support/psql.ts';
import { createSessionDb, type CallTotals } from './support/rpc.ts';
import { createIdentity } from './support/tls-identity.ts';

/**
 * Delivers 10,000 events to 500 webhooks, of which a third fails in different ways, and checks every message. Run it
 * with `npm run bench:deliver`. It takes four minutes and needs Debian's `postgresql` and `openssl`.
 *
 * Each of 500 watches has one webhook and gets 20 alerts, which the recording of probe results appends. The alerts come
 * in rounds. After each round the messages that are due are delivered, and then node:https sends the same requests to
 * the same receivers, which react in the same way: first with a new connection for each request, then with kept
 * connections. After the last round the clock jumps from one due time to the next until nothing is pending.
 *
 * Finally it compares the recording of probe results with and without watches.
 *
 * PostgREST is not included: SQL functions are called over a PostgreSQL connection.
 */
const WATCH_COUNT = 500;
const ROUNDS = 5;
/** Maximum number of requests in flight. The default is that of the job. */
const IN_FLIGHT = Number(process.env['BENCH_IN_FLIGHT'] ?? 64);
const BASE_URL = 'https://touchstone.example';

function createBenchSender(ca: string): Sender {
  return createSender({
    resolver: () => Promise.resolve([{ address: '127.0.0.1', family: 4, isTrusted: true }]),
    userAgent: 'Touchstone/0.1 (+https://touchstone.example/)',
    ca: [ca],
  });
}

function printTally(tally: Tally, maxInFlight: number, alerts: number): void {
  const { delivered, exhausted, droppedGone, droppedFailing, requests } = tally;
  if (delivered + exhausted + droppedGone + droppedFailing !== alerts)
    throw new Error(`the deliveries do not add up to ${alerts} alerts`);
  if (maxInFlight !== 1) throw new Error(`a destination had ${maxInFlight} requests in flight`);
  console.log(
    `All ${formatNumber(alerts)} alerts are accounted for: ${formatNumber(delivered)} delivered once, ` +
      `${exhausted} given up after ten attempts, ${droppedGone} dropped with a removed webhook (410), ` +
      `${droppedFailing} dropped with a webhook that failed for 120 hours. ${formatNumber(requests)} requests.`,
  );
  console.log(
    'Checked: order, ids, bodies, both signatures, delays and recorded attempts of every request; one request in ' +
      'flight per webhook.\n',
  );
}

async function deliverAll(bench: Bench): Promise<void> {
  const { session, clock, endpoints, receivers, totals, cipher } = bench;
  await recordTerms(session, endpoints, { version: 0, at: clock.now() });
  const db = createSessionDb(session, totals);
  const watches = await createWatches({ session, db, cipher }, endpoints, {
    toUrl: receivers.toUrl,
    at: clock.now(),
  });
  await session.run('analyze');
  const failing = watches.filter(({ destination }) => selectFault(destination) !== null).length;
  console.log(`${watches.length} webhooks, ${failing} of them failing, ${IN_FLIGHT} requests in flight.\n`);
  const rounds: Round[] = [];
  for (let round = 0; round < ROUNDS; round += 1) rounds.push(await runRound(bench, round));
  printRounds(rounds);
  const rest = await drainRest(bench);
  const received = [...rounds, rest].flatMap((each) => each.received);
  const maxInFlight = Math.max(...[...rounds, rest].map((each) => each.maxInFlight));
  const tally = checkRun(watches, received, await readBooks(session));
  printTally(tally, maxInFlight, WATCH_COUNT * ROUNDS * ALERTS_PER_ROUND);
}

async function measureAll(session: Session, folder: string): Promise<void> {
  const ca = readFileSync(createIdentity(folder), 'utf8');
  const receivers = await startReceivers(folder);
  try {
    await session.run(buildCatalogSql(4 * WATCH_COUNT));
    const clock = createClock(START_MS + HOUR_MS);
    const claimed = await claimSlots(session, clock.now(), 2 * WATCH_COUNT);
    if (claimed.length < 2 * WATCH_COUNT) throw new Error(`only ${claimed.length} slots were due`);
    const totals = new Map<string, CallTotals>();
    const cipher = createCipher([randomBytes(32).toString('base64url')]);
    const db = createSessionDb(session, totals);
    const watches = { cipher, send: createBenchSender(ca), baseUrl: BASE_URL };
    await deliverAll({
      ...{ session, totals, clock, receivers, ca, cipher, inFlight: IN_FLIGHT },
      endpoints: claimed.slice(0, WATCH_COUNT),
      context: { db, now: clock.now, owner: 'bench', watches },
    });
    await measureRecordingCost({ session, db, cipher }, claimed.slice(WATCH_COUNT), clock);
  } finally {
    await receivers.stop();
  }
}

async function main(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'touchstone-bench-'));
  const postgres = await startPostgres();
  try {
    console.log(`PostgreSQL ${postgres.version}`);
    const session = postgres.session();
    await measureAll(session, folder);
    await session.close();
  } finally {
    await postgres.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

await main();
