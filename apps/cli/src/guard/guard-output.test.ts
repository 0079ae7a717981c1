import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type GuardedEndpoint,
  type GuardService,
  runGuard,
  startEndpoint,
  startGuardService,
} from '../testing/guarded-endpoint.ts';
import { createKeys } from '../testing/reports.ts';
import { jsonLines } from '../testing/run-command.ts';
import { startServer } from '../testing/serve.ts';

let service: GuardService;
let healthy: GuardedEndpoint;
beforeAll(async () => {
  [service, healthy] = await Promise.all([startGuardService(), startEndpoint()]);
});
afterAll(async () => {
  for (const server of [service, healthy]) await server[Symbol.asyncDispose]();
});

const guard = (url: string, ...args: readonly string[]) => runGuard(service, url, args);

describe('observations of the service', () => {
  it('follow the decision with commands to run next', async () => {
    const delistedAt = '2026-05-01T00:00:00.000Z';
    await using bad = await startGuardService({
      endpoint: {
        resource: 'https://api.example.com/users/{id}?a=1&b=2',
        recommendation: 'avoid',
        errorFlags: 1,
        warningFlags: 2,
        betterAlternatives: 3,
        failingSince: '2026-05-31T00:00:00.000Z',
        listing: { status: 'delisted', source: 'directory', directories: [], delistedAt },
      },
    });
    const { code, text } = await guard(healthy.url, '--service', bad.base);
    expect(code).toBe(1);
    expect(text).toContain('Findings 1 error, 2 warnings ');
    expect(text).toContain('failing since 2026-05-31 00:00 UTC');
    expect(text).toContain('no directory lists this endpoint since 2026-05-01 00:00 UTC');
    const target = `'https://api.example.com/users/{id}?a=1&b=2' --service ${bad.base}`;
    expect(text).toContain(`Next touchstone buy trust ${target} for the findings`);
    expect(text).toContain(`touchstone similar ${target} for better endpoints`);
  });

  it('name the endpoint that they describe, if it has another URL', async () => {
    const resource = 'https://api.example.com/{city}';
    await using template = await startGuardService({
      endpoint: { resource, grade: '?', score: 0 },
      match: 'template',
    });
    const { text } = await guard(healthy.url, '--service', template.base);
    expect(text).toContain(`Observed by Touchstone Endpoint ${resource} (URL template) Grade none Advice`);
  });

  it('suggest no command after the decision to pay, and no alternative without a better endpoint', async () => {
    expect((await guard(healthy.url)).text).not.toContain('Next');
    await using best = await startGuardService({
      endpoint: { recommendation: 'avoid', betterAlternatives: 0 },
    });
    const { text } = await guard(healthy.url, '--service', best.base);
    expect(text).toContain('touchstone buy trust');
    expect(text).not.toContain('touchstone similar');
  });
});

describe('without a decision', () => {
  it('exits with 2 and shows the observations when the endpoint sends no payment terms', async () => {
    await using free = await startServer((_, response) => response.end('{}'));
    const { code, text, stderr } = await guard(`http://127.0.0.1:${String(free.port)}/`);
    expect(code).toBe(2);
    expect(text).toContain('Observed by Touchstone Grade');
    expect(stderr).toContain('No decision: GET returned 200 without payment terms that can be read.');
  });

  it('exits with 2 when the endpoint sends no response', async () => {
    const gone = await startEndpoint();
    await gone[Symbol.asyncDispose]();
    await using unknowing = await startGuardService({ endpoint: null });
    const { code, text, stderr } = await guard(gone.url, '--service', unknowing.base);
    expect([code, stderr]).toEqual([2, expect.stringContaining('No decision: GET got no response')]);
    expect(text).toContain('Touchstone does not know this endpoint.');
  });

  it('shows observations only if one of the trusted keys has signed them', async () => {
    await using free = await startServer((_, response) => response.end('{}'));
    const folder = mkdtempSync(join(tmpdir(), 'touchstone-guard-'));
    const wrong = join(folder, 'keys.json');
    writeFileSync(wrong, JSON.stringify((await createKeys('https://touchstone.example')).published));
    const { code, text } = await guard(`http://127.0.0.1:${String(free.port)}/`, '--keys', wrong);
    rmSync(folder, { recursive: true });
    expect([code, text]).toEqual([2, expect.not.stringContaining('Observed by Touchstone')]);
  });

  it.each([
    ['/users/{userId}', '{userId}'],
    ['/users/:id/posts', ':id'],
  ])('requests no URL with a placeholder: %s', async (path, name) => {
    const before = healthy.headerNames.length;
    const { code, text, stderr } = await guard(new URL(path, healthy.url).href);
    expect([code, stderr]).toEqual([
      2,
      `No decision: The URL contains the placeholder ${name}. Replace it with a value that you would pay for, and run the command again.\n`,
    ]);
    expect(text).toContain('Observed by Touchstone');
    expect(healthy.headerNames).toHaveLength(before);
  });

  it('prints one JSON object with the problem', async () => {
    await using free = await startServer((_, response) => response.end('{}'));
    const gone = await startServer((_, response) => response.end());
    await gone[Symbol.asyncDispose]();
    const runs = [
      guard(`http://127.0.0.1:${String(free.port)}/`, '--json'),
      guard(new URL('/{id}', healthy.url).href, '--json'),
      guard(healthy.url, '--json', '--network', 'eip155:1'),
      guard(healthy.url, '--json', '--max-usd', 'cheap'),
      guard(healthy.url, '--json', '--service', `http://127.0.0.1:${String(gone.port)}`),
    ];
    for (const { code, stdout, stderr } of await Promise.all(runs)) {
      expect([code, stderr]).toEqual([2, '']);
      const lines = jsonLines(stdout);
      expect(lines).toMatchObject([{ action: null, problem: expect.stringMatching(/./) as unknown }]);
      expect(Object.keys(lines[0] ?? {})).toEqual(
        'url method status action problem obstacle neededSettings notes options statement'.split(' '),
      );
    }
  });
});
