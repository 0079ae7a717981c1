import type { RequestListener } from 'node:http';
import { KEY_SET_PATH } from '@touchstone/contract';
import { signDocument, type SigningKeys } from '@touchstone/trust';
import { beforeAll, describe, expect, it } from 'vitest';
import { createKeys, createReport, createSignedReport } from '../testing/reports.ts';
import { jsonLines } from '../testing/run-command.ts';
import { runInProcess } from '../testing/run-in-process.ts';
import { startServer } from '../testing/serve.ts';

/** Creates a request listener that responds with the body of each path in `bodies`, and to other paths with 404. */
function respondWith(bodies: ReadonlyMap<string, unknown>, requests: string[] = []): RequestListener {
  return ({ url = '', headers }, response) => {
    requests.push(`${url} ${headers['user-agent'] ?? ''}`);
    const body = bodies.get(url);
    response.statusCode = body === undefined ? 404 : 200;
    response.end(JSON.stringify(body ?? {}));
  };
}

/** Starts a service whose responses a test adds to `bodies`, by path. */
async function openSite() {
  const bodies = new Map<string, unknown>();
  const requests: string[] = [];
  const server = await startServer(respondWith(bodies, requests));
  return { ...server, bodies, requests, base: `http://127.0.0.1:${String(server.port)}` };
}

const verify = async (...args: readonly string[]): ReturnType<typeof runInProcess> =>
  runInProcess(['verify', '--allow-private', '--json', ...args]);

describe('touchstone verify <url>', () => {
  let otherKeys: SigningKeys;
  beforeAll(async () => {
    otherKeys = await createKeys('https://other.example');
  });

  it("fetches the keys of the reports' origin once", async () => {
    await using site = await openSite();
    const { base, bodies, requests } = site;
    const keys = await createKeys(base);
    const report = await createSignedReport(keys, base);
    bodies.set('/v1/x402-trust-preview', { samples: [{ report }, { report }] });
    bodies.set(KEY_SET_PATH, keys.published);
    const { code, stdout, stderr } = await verify(`${base}/v1/x402-trust-preview`);
    expect(code).toBe(0);
    expect(jsonLines(stdout).map(({ signature, keysFrom }) => [signature, keysFrom])).toEqual([
      ['valid', base + KEY_SET_PATH],
      ['valid', base + KEY_SET_PATH],
    ]);
    expect(requests).toEqual([
      expect.stringMatching(/^\/v1\/x402-trust-preview Touchstone\/.*touchstone verify/),
      expect.stringMatching(/^\/\.well-known\/touchstone-keys\.json /),
    ]);
    expect(stderr).toContain('is not HTTPS');
  });

  it('accepts the URL of a service as --keys', async () => {
    await using site = await openSite();
    const { base, bodies } = site;
    bodies.set('/elsewhere', await createSignedReport(otherKeys, 'https://other.example'));
    bodies.set(KEY_SET_PATH, otherKeys.published);
    for (const given of [base, `${base}/`, base + KEY_SET_PATH]) {
      const { code, stdout } = await verify('--keys', given, `${base}/elsewhere`);
      expect([code, jsonLines(stdout)[0]?.['keysFrom']]).toEqual([0, base + KEY_SET_PATH]);
    }
  });

  it('does not request keys from another origin', async () => {
    await using honest = await openSite();
    await using forger = await openSite();
    const { base, bodies } = honest;
    const { base: elsewhere, requests } = forger;
    forger.bodies.set(KEY_SET_PATH, otherKeys.published);
    bodies.set('/report', await createSignedReport(await createKeys(elsewhere), elsewhere));
    const { code, stdout } = await verify(`${base}/report`);
    expect(code).toBe(2);
    expect(jsonLines(stdout)[0]).toMatchObject({
      verdict: 'undetermined',
      figures: 'agrees',
      signature: 'no-keys',
      reason: expect.stringContaining(
        `the report names other keys than those at ${base}${KEY_SET_PATH}`,
      ) as unknown,
    });
    expect(requests).toEqual([]);
  });

  it('does not use keys at another path of the origin', async () => {
    await using site = await openSite();
    const { base, bodies, requests } = site;
    bodies.set('/upload/keys.json', otherKeys.published);
    const keysUrl = `${base}/upload/keys.json`;
    bodies.set('/upload/1.json', await signDocument(createReport(base), { ...otherKeys.signing, keysUrl }));
    const { code, stdout } = await verify(`${base}/upload/1.json`);
    expect([code, jsonLines(stdout)[0]?.['signature']]).toEqual([2, 'no-keys']);
    expect(requests).toHaveLength(1);
  });

  it('checks the figures when the keys are not available', async () => {
    await using site = await openSite();
    const { base, bodies } = site;
    bodies.set('/report', { ...(await createSignedReport(await createKeys(base), base)), score: 1 });
    const { code, stdout } = await verify(`${base}/report`);
    expect(code).toBe(1);
    expect(jsonLines(stdout)[0]).toMatchObject({
      figures: 'differs',
      signature: 'no-keys',
      reason: `${base}${KEY_SET_PATH} returned 404; expected 200.`,
    });
  });

  it.each([
    [402, 'Buy a paid report first'],
    [302, 'redirects to http://127.0.0.1:65000/'],
    [500, 'returned 500; expected 200'],
  ])('reports status %i', async (status, message) => {
    await using server = await startServer((_, response) => {
      response.statusCode = status;
      response.setHeader('location', 'http://127.0.0.1:65000/');
      response.end('{}');
    });
    const { code, stderr } = await verify(`http://127.0.0.1:${String(server.port)}/`);
    expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
  });

  it('reads at most 1 MiB', async () => {
    await using server = await startServer((_, response) => response.end('['.repeat(2_000_000)));
    const { code, stderr } = await verify(`http://127.0.0.1:${String(server.port)}/`);
    expect([code, stderr]).toEqual([2, expect.stringContaining('is longer than 1 MiB')]);
  });

  it('rejects a private address without --allow-private', async () => {
    await using server = await startServer((_, response) => response.end('{}'));
    const { code, stderr } = await runInProcess(['verify', `http://127.0.0.1:${String(server.port)}/`]);
    expect([code, stderr]).toEqual([2, expect.stringContaining('cannot be read')]);
  });
});
