import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { jsonLines } from '../testing/run-command.ts';
import { runInProcess } from '../testing/run-in-process.ts';

const SANDBOX = fileURLToPath(new URL('../../../sandbox/src/main.ts', import.meta.url));
const readySchema = z.object({ controlUrl: z.string(), caFile: z.string() });
const scenarioSchema = z.object({
  endpoints: z.array(
    z.object({ url: z.string(), method: z.string(), protocol: z.string(), kind: z.string() }),
  ),
});
type Endpoint = z.infer<typeof scenarioSchema>['endpoints'][number];

let folder: string;
let child: ChildProcess;
let endpoints: readonly Endpoint[];
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'touchstone-sandbox-'));
  child = spawn(process.execPath, [SANDBOX], {
    env: { ...process.env, SANDBOX_DATA_DIR: join(folder, 'sandbox') },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const messages: unknown[] = await once(child, 'message');
  const ready = readySchema.parse(messages[0]);
  writeFileSync(join(folder, 'sandbox.json'), JSON.stringify(ready));
  const scenario = await fetch(`${ready.controlUrl}/scenario`);
  endpoints = scenarioSchema.parse(await scenario.json()).endpoints;
});
afterAll(async () => {
  const gone = once(child, 'exit');
  child.kill();
  await gone;
  rmSync(folder, { recursive: true, force: true });
});

async function lint(url: string) {
  const args = ['lint', '--json', '--sandbox', '--data-dir', folder, url];
  const { code, stdout, stderr } = await runInProcess(args);
  return { code, line: jsonLines(stdout)[0], stderr };
}

function findEndpoint(kind: string): Endpoint {
  const found = endpoints.find((one) => one.kind === kind && !/[:{]/.test(new URL(one.url).pathname));
  if (found === undefined) throw new Error(`The sandbox has no endpoint of kind ${kind}`);
  return found;
}

describe('touchstone lint --sandbox', () => {
  it('lints a payable endpoint', async () => {
    const { url } = findEndpoint('healthy');
    const { line } = await lint(url);
    expect(line).toMatchObject({ url, status: 402, payable: { v2: true } });
  });

  it('fails for an endpoint that does not respond', async () => {
    for (const kind of ['dead', 'dns-gone']) {
      const { code, line } = await lint(findEndpoint(kind).url);
      expect([code, line?.['status']]).toEqual([1, null]);
    }
  });

  it('fails for headers that Node.js clients reject', async () => {
    const { code, line } = await lint(findEndpoint('oversized-header').url);
    const reason = expect.stringMatching(
      /^The response headers have \d\d\.\d kB in total; Node\.js clients reject more than 16 kB\.$/,
    ) as string;
    expect(code).toBe(1);
    expect(line).toMatchObject({
      status: 402,
      version: 2,
      payable: { v1: false, v2: false },
      refusals: { v1: reason, v2: reason },
      verdict: 'unpayable',
    });
  });

  it('rejects a host outside the sandbox', async () => {
    const { code, line, stderr } = await lint('https://api.example.com/');
    expect([code, line]).toEqual([2, undefined]);
    expect(stderr).toContain('is not in the sandbox');
  });

  it('reports a missing sandbox', async () => {
    const { code, stderr } = await runInProcess([
      'lint',
      '--sandbox',
      '--data-dir',
      'nowhere',
      'https://a.sandbox.test',
    ]);
    expect(code).toBe(2);
    expect(stderr).toContain(
      `No sandbox runs with the data folder ${resolve('nowhere')}: its sandbox.json cannot be read.`,
    );
  });

  it('reports a sandbox file whose service has stopped', async () => {
    const folderOfStopped = join(folder, 'stopped');
    mkdirSync(folderOfStopped);
    const controlUrl = 'http://127.0.0.1:9/';
    writeFileSync(join(folderOfStopped, 'sandbox.json'), JSON.stringify({ controlUrl, caFile: 'ca.pem' }));
    const { code, stderr } = await runInProcess([
      'lint',
      '--sandbox',
      '--data-dir',
      folderOfStopped,
      'https://a.sandbox.test',
    ]);
    expect(code).toBe(2);
    expect(stderr).toContain(
      `its sandbox.json names ${controlUrl}, which does not respond: its service has stopped`,
    );
  });
});
