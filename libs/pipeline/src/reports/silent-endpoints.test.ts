import { expect, it } from 'vitest';
import { createTestReportContext } from '../testing/reports.ts';
import { serveOverTls } from '../testing/secure.ts';
import { challenge, useWorld } from '../testing/world.ts';
import { createFirstContacts } from './first-contacts.ts';
import type { ReportOutcome } from './report-context.ts';
import { createTrustReport } from './trust-report.ts';

const world = useWorld({ isShared: true });
const HOST = 'www.example.com';
/**
 * Hosts of endpoints that never respond. Each endpoint has its own host, because the probes of one host are
 * rate-limited.
 */
const SILENT_HOSTS = Array.from({ length: 60 }, (_, index) => `silent${index}.example.com`);
/** Time that is longer than the test, in milliseconds. */
const NEVER_MS = 600_000;

const getCode = (outcome: ReportOutcome): string => (outcome.kind === 'problem' ? outcome.code : 'a report');

it('sells reports to other clients while one client buys reports on endpoints that never respond', async () => {
  const secure = await serveOverTls(world, ['*.example.com'], {
    limits: { tlsMs: NEVER_MS, firstByteMs: NEVER_MS, totalMs: NEVER_MS },
  });
  world.handlers.set('/silent', () => undefined);
  world.handlers.set('/known', challenge);
  world.handlers.set('/new', challenge);
  const context = createTestReportContext(world, {
    prober: secure.prober,
    maxLiveProbeMs: NEVER_MS,
    firstContacts: createFirstContacts(Date.now),
  });
  const buy = async (client: string, payer: string, resource: string): Promise<string> =>
    getCode(await createTrustReport(context, { resource }, { client, payer }));
  const listSilent = () => world.requestedUrls.filter((each) => each.endsWith('/silent'));
  const codes: string[] = [];
  let attack: readonly Promise<void>[] = [];
  try {
    expect(await buy('honest', '0xhonest', `https://${HOST}/known`)).toBe('a report');
    attack = SILENT_HOSTS.map(async (host, index) => {
      // Two attackers share one client address. One attacker always pays from the same wallet, and the other attacker
      // pays each request from a new wallet.
      const payer = index % 2 === 0 ? '0xone' : `0x${index}`;
      codes.push(await buy('attacker', payer, `https://${host}/silent`));
    });
    await expect.poll(listSilent, { timeout: 30_000 }).toHaveLength(4);
    expect(await buy('honest', '0xhonest', `https://${HOST}/known`)).toBe('a report');
    expect(await buy('honest', '0xhonest', `https://${HOST}/new`)).toBe('a report');
    // The four probed endpoints have not responded yet. The other requests of the attackers wait or were refused
    // without a probe.
    expect(codes.filter((code) => code !== 'rate-limited')).toEqual([]);
    expect(listSilent()).toHaveLength(4);
    await secure.close();
    await Promise.all(attack);
    // 12 requests of the attackers were accepted. At most eight of these requests came from the payer `0xone`, and this
    // payer was paused after its third failure.
    expect(codes.filter((code) => code === 'not-probeable').length).toBeGreaterThanOrEqual(7);
  } finally {
    await secure.close();
    await Promise.allSettled(attack);
  }
});
