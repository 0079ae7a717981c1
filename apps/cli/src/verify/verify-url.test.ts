import { beforeAll, describe, expect, it } from 'vitest';
import type { RequestListener } from 'node:http';
import { KEY_SET_PATH } from '@touchstone/contract';
import { signReport, type SigningKeys } from '@touchstone/trust';
import { jsonLines } from '../testing/command.ts';
import { keysFor, reportBy, signedBy } from '../testing/reports.ts';
import { runHere } from '../testing/run-here.ts';
import { serve } from '../testing/serve.ts';

/** A service that answers each path with a body; others with 404. */
function answering(bodies: ReadonlyMap<string, unknown>, asked: string[] = []): RequestListener {
  return ({ url = '', headers }, response) => {
    asked.push(`${url} ${headers['user-agent'] ?? ''}`);
    const body = bodies.get(url);
    response.statusCode = body === undefined ? 404 : 200;
    response.end(JSON.stringify(body ?? {}));
  };
}

const verify = async (...args: readonly string[]): ReturnType<typeof runHere> =>
  runHere(['verify', '--allow-private', '--json', ...args]);

describe('touchstone verify, of an address', () => {
  let strangers: SigningKeys;
  beforeAll(async () => {
    strangers = await keysFor('https://stranger.example');
  });

  it('takes the keys of the origin that the reports came from, and asks for them once', async () => {
    const bodies = new Map<string, unknown>();
    const asked: string[] = [];
    await using server = await serve(answering(bodies, asked));
    const base = `http://127.0.0.1:${String(server.port)}`;
    const keys = await keysFor(base);
    const report = await signedBy(keys, base);
    bodies.set('/v1/x402-trust-preview', { samples: [{ report }, { report }] });
    bodies.set(KEY_SET_PATH, keys.published);
    const { code, stdout, stderr } = await verify(`${base}/v1/x402-trust-preview`);
    expect(code).toBe(0);
    expect(jsonLines(stdout).map(({ signature, keysFrom }) => [signature, keysFrom])).toEqual([
      ['valid', base + KEY_SET_PATH],
      ['valid', base + KEY_SET_PATH],
    ]);
    expect(asked).toEqual([
      expect.stringMatching(/^\/v1\/x402-trust-preview Touchstone\/.*touchstone verify/),
      expect.stringMatching(/^\/\.well-known\/touchstone-keys\.json /),
    ]);
    expect(stderr).toContain('is not HTTPS');
  });

  it('takes the keys of the service that --keys names by its address alone', async () => {
    const bodies = new Map<string, unknown>();
    await using server = await serve(answering(bodies));
    const base = `http://127.0.0.1:${String(server.port)}`;
    bodies.set('/elsewhere', await signedBy(strangers, 'https://stranger.example'));
    bodies.set(KEY_SET_PATH, strangers.published);
    for (const given of [base, `${base}/`, base + KEY_SET_PATH]) {
      const { code, stdout } = await verify('--keys', given, `${base}/elsewhere`);
      expect([code, jsonLines(stdout)[0]?.['keysFrom']]).toEqual([0, base + KEY_SET_PATH]);
    }
  });

  it('takes no keys of another origin, which it does not even ask', async () => {
    const bodies = new Map<string, unknown>();
    const asked: string[] = [];
    await using honest = await serve(answering(bodies));
    await using forger = await serve(answering(new Map([[KEY_SET_PATH, strangers.published]]), asked));
    const base = `http://127.0.0.1:${String(honest.port)}`;
    const elsewhere = `http://127.0.0.1:${String(forger.port)}`;
    bodies.set('/report', await signedBy(await keysFor(elsewhere), elsewhere));
    const { code, stdout } = await verify(`${base}/report`);
    expect(code).toBe(2);
    expect(jsonLines(stdout)[0]).toMatchObject({
      verdict: 'undetermined',
      figures: 'agrees',
      signature: 'no-keys',
      reason: expect.stringContaining(`it names other keys than those at ${base}${KEY_SET_PATH}`) as unknown,
    });
    expect(asked).toEqual([]);
  });

  it('finds a report forged that names the keys of the service it is served beside', async () => {
    const bodies = new Map<string, unknown>();
    await using server = await serve(answering(bodies));
    const base = `http://127.0.0.1:${String(server.port)}`;
    bodies.set(KEY_SET_PATH, (await keysFor(base)).published);
    bodies.set('/upload/1.json', await signedBy(await keysFor(base), base));
    const { code, stdout } = await verify(`${base}/upload/1.json`);
    expect([code, jsonLines(stdout)[0]?.['signature']]).toEqual([1, 'unknown-key']);
  });

  it('takes no keys from elsewhere at the origin, where others may be let to put files', async () => {
    const bodies = new Map<string, unknown>();
    const asked: string[] = [];
    await using server = await serve(answering(bodies, asked));
    const base = `http://127.0.0.1:${String(server.port)}`;
    bodies.set('/upload/keys.json', strangers.published);
    const keysUrl = `${base}/upload/keys.json`;
    bodies.set('/upload/1.json', await signReport(reportBy(base), { ...strangers.signing, keysUrl }));
    const { code, stdout } = await verify(`${base}/upload/1.json`);
    expect([code, jsonLines(stdout)[0]?.['signature']]).toEqual([2, 'no-keys']);
    expect(asked).toHaveLength(1);
  });

  it('takes keys from an address that is given', async () => {
    const bodies = new Map<string, unknown>();
    await using server = await serve(answering(bodies));
    const base = `http://127.0.0.1:${String(server.port)}`;
    const keys = await keysFor('https://touchstone.example');
    bodies.set('/keys', keys.published);
    const report = JSON.stringify(await signedBy(keys, 'https://touchstone.example'));
    const { code, stdout } = await runHere(
      ['verify', '--allow-private', '--json', '--keys', `${base}/keys`, '-'],
      report,
    );
    expect([code, jsonLines(stdout)[0]?.['keysFrom']]).toEqual([0, `${base}/keys`]);
  });

  it('judges the figures where the keys cannot be had', async () => {
    const bodies = new Map<string, unknown>();
    await using server = await serve(answering(bodies));
    const base = `http://127.0.0.1:${String(server.port)}`;
    bodies.set('/report', { ...(await signedBy(await keysFor(base), base)), score: 1 });
    const { code, stdout } = await verify(`${base}/report`);
    expect(code).toBe(1);
    expect(jsonLines(stdout)[0]).toMatchObject({
      figures: 'differs',
      signature: 'no-keys',
      reason: `${base}${KEY_SET_PATH} was answered 404, not 200.`,
    });
  });

  it.each([
    [402, 'A paid report is bought first'],
    [302, 'was answered 302, not 200'],
    [500, 'was answered 500, not 200'],
  ])('says so when the address answers %i', async (status, words) => {
    await using server = await serve((_, response) => {
      response.statusCode = status;
      response.setHeader('location', 'http://127.0.0.1:9/');
      response.end('{}');
    });
    const { code, stderr } = await verify(`http://127.0.0.1:${String(server.port)}/`);
    expect([code, stderr]).toEqual([2, expect.stringContaining(words)]);
  });

  it('reads no endless answer', async () => {
    await using server = await serve((_, response) => response.end('['.repeat(2_000_000)));
    const { code, stderr } = await verify(`http://127.0.0.1:${String(server.port)}/`);
    expect([code, stderr]).toEqual([2, expect.stringContaining('is longer than 1 MiB')]);
  });

  it('dials no private address unless told to', async () => {
    await using server = await serve((_, response) => response.end('{}'));
    const { code, stderr } = await runHere(['verify', `http://127.0.0.1:${String(server.port)}/`]);
    expect([code, stderr]).toEqual([2, expect.stringContaining('cannot be read')]);
  });
});
