import { mkdtempSync, rmSync } from 'node:fs';
import { request as startRequest, type OutgoingHttpHeaders } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { previewSchema } from '../../../libs/contract/src/index.ts';
import { startInngestSite, type InngestSite } from './inngest-site.ts';

/** Number of functions that the site registers. */
const FUNCTIONS = 18;
const LONG = { timeout: 30_000 };

// The tests need PostgreSQL, because they wait for its locks. Each test continues from the state of the previous test.
describe.skipIf((process.env['TEST_POSTGRES'] ?? '') === '')('the built site with an Inngest server', () => {
  let folder: string;
  let site: InngestSite;
  /** Number of endpoints in the directory of the sandbox. */
  let listed = 0;
  /** Number of endpoints that are probed: all endpoints except templates without example values. */
  let probed = 0;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'touchstone-inngest-'));
    site = await startInngestSite(folder);
  }, 120_000);
  afterAll(async () => {
    await site.close();
    rmSync(folder, { recursive: true, force: true });
  });
  afterEach(() => {
    site.inngest.isResponseLost = () => Promise.resolve(false);
  });

  /** Runs an SQL query that returns one row with one number. */
  async function count(from: string): Promise<number> {
    const { rows } = await site.database.connection.driver.query<{ n: number }>(
      `select count(*)::integer as n from ${from}`,
    );
    return rows[0]?.n ?? Number.NaN;
  }

  async function restart(): Promise<void> {
    await site.kill();
    await site.start();
  }

  /**
   * Kills the site and starts it again after the response with this number. `isLost`: true if this response is lost.
   */
  function restartAfter(response: number, isLost: boolean): void {
    let responses = 0;
    site.inngest.isResponseLost = async () => {
      responses += 1;
      if (responses !== response) return false;
      await restart();
      return isLost;
    };
  }

  async function read(path: string): Promise<unknown> {
    const response = await fetch(`${site.url}${path}`, { headers: { accept: 'application/json' } });
    return response.json();
  }

  it('registers its functions, and a second registration changes nothing', async () => {
    expect((await site.register()).status).toBe(200);
    const first = [...site.inngest.functions];
    expect(first).toHaveLength(FUNCTIONS);
    expect((await site.register()).status).toBe(200);
    expect(site.inngest.functions).toEqual(first);
  });

  it('refuses unsigned requests', async () => {
    for (const method of ['GET', 'PUT', 'POST'])
      expect((await fetch(`${site.url}/api/inngest`, { method })).status).toBe(401);
  });

  /** Uploads a body in parts. Resolves to the HTTP status. */
  function upload(parts: readonly string[], headers: OutgoingHttpHeaders) {
    return new Promise<number | undefined>((resolve, reject) => {
      const request = startRequest(`${site.url}/api/inngest`, { method: 'POST', headers }, (response) => {
        response.resume();
        resolve(response.statusCode);
        // The site reads the rest of a refused body only to discard it.
        response.once('end', () => request.destroy());
      });
      // Destroying the request after the response may cause an error. The promise is already resolved then, so `reject`
      // has no effect.
      request.on('error', reject);
      Readable.from(parts).pipe(request);
    });
  }

  it('refuses long unsigned and forged bodies, and keeps its memory', async () => {
    const MIB = 1024 * 1024;
    const spaces = Array<string>(200).fill(' '.repeat(MIB));
    const length = { 'content-length': 200 * MIB };
    const forge = () => ({
      'x-inngest-signature': `t=${Math.floor(Date.now() / 1000)}&s=${'0'.repeat(64)}`,
    });
    const before = site.readPeakMemory();
    expect(await upload(spaces, length)).toBe(401);
    expect(await upload(spaces, { ...length, ...forge() })).toBe(413);
    // These uploads have no `Content-Length`, so they are sent in chunks.
    expect(await upload(spaces, forge())).toBe(413);
    const objects = ['[{}', ...Array<string>(39).fill(',{}'.repeat(35_000)), ']'];
    const forged = Array.from({ length: 8 }, () => upload(objects, forge()));
    expect(await Promise.all(forged)).toEqual(Array(8).fill(401));
    const after = site.readPeakMemory();
    // If the site parsed these eight bodies before it verified their signatures, it would need two gigabytes.
    if (before !== null && after !== null) expect((after - before) / MIB).toBeLessThan(400);
  }, 60_000);

  it('continues with the next step after the site was killed', async () => {
    restartAfter(1, false);
    expect(await site.inngest.run('touchstone-discover')).toMatchObject({
      output: { directories: 1 },
      steps: ['list the directories', 'request the directories'],
      errors: 0,
    });
    expect(site.inngest.events).toHaveLength(1);
  });

  it('lists each endpoint once although a directory is read again', async () => {
    let responses = 0;
    site.inngest.isResponseLost = () => Promise.resolve((responses += 1) === 1);
    const [run] = await site.inngest.drain();
    expect(run).toMatchObject({
      output: { complete: true, rejected: 0, listed: 0 },
      failed: false,
      errors: 1,
    });
    listed = await count('public.endpoints');
    expect(run?.output).toHaveProperty('accepted', listed);
    expect(await count("public.changes where kind = 'listed'")).toBe(listed);
  });

  it('records each probe once although the site is killed before and after its response', async () => {
    const { inngest, database } = site;
    const { driver } = database.connection;
    // One slot of each endpoint is due, and its next slot is a day later.
    await driver.exec(`
    update public.schedules s set interval_seconds = 86400, offset_seconds = t.at % 86400, next_probe_at = to_timestamp(t.at)
    from (select floor(extract(epoch from now()))::bigint - 60 as at) t;
    select internal.update_host_queues(array(select host from public.host_queues));`);
    probed = await count(
      'public.schedules s join public.endpoints e on e.id = s.endpoint_id and e.probe_url is not null',
    );
    expect(probed).toBeGreaterThan(50);
    expect(await inngest.run('touchstone-probe')).toMatchObject({ output: { due: probed, batches: 1 } });

    // The database cannot record the observations while this lock is held. The site is killed meanwhile, and the database
    // then records them for a process that has ended.
    await driver.exec('begin; lock table public.observations in share mode');
    const statuses: (number | null)[] = [];
    inngest.isResponseLost = async ({ status }) => {
      statuses.push(status);
      if (statuses.length === 1) {
        await driver.exec('commit');
        await expect.poll(() => count('public.observations'), LONG).toBe(probed);
        await site.start();
      }
      if (statuses.length === 2) await restart();
      return statuses.length <= 2;
    };
    const running = inngest.drain();
    const waiting = "pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";
    await expect.poll(() => count(waiting), LONG).toBe(1);
    await site.kill();
    expect(await running).toMatchObject([{ output: { claimed: 0, recorded: 0 }, failed: false, errors: 2 }]);
    expect(statuses).toEqual([null, 206, 206, 200]);
    expect(await count('public.observations')).toBe(probed);
    expect(await count('public.daily_rollups where probes = 1')).toBe(probed);
    expect(await count('public.leases where not is_recheck')).toBe(0);
  }, 120_000);

  it('scores each endpoint once although a step is repeated', async () => {
    restartAfter(2, true);
    expect(await site.inngest.run('touchstone-score')).toMatchObject({ output: { failed: 0 }, errors: 1 });
    expect(await count('public.snapshots')).toBe(listed);
    expect(await count('public.daily_scores')).toBe(listed);
    expect(await count('public.scoring_queue')).toBe(0);
  });

  it('serves the probed and scored endpoints', async () => {
    expect(await read('/trust/stats')).toMatchObject({ endpoints: listed, listed, probes30d: probed });
    const { samples } = previewSchema.parse(await read('/v1/x402-trust-preview'));
    expect(samples.map(({ role }) => role)).toEqual(['best', 'median', 'worst']);
    // Each endpoint has one probe, so no grade is better than C.
    expect(samples[0]?.report).toMatchObject({ grade: 'C', listing: { status: 'listed' } });
    expect(samples[0]?.report.resource).toContain('.sandbox.test/');
  });
});
