import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { jsonLines, touchstone } from '../testing/command.ts';
import { runHere } from '../testing/run-here.ts';

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
    env: { SANDBOX_DATA_DIR: join(folder, 'sandbox') },
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
  const { code, stdout, stderr } = await touchstone(args);
  return { code, line: jsonLines(stdout)[0], stderr };
}

function endpointOf(kind: string): Endpoint {
  const found = endpoints.find((one) => one.kind === kind && !/[:{]/.test(new URL(one.url).pathname));
  if (found === undefined) throw new Error(`The sandbox has no endpoint that is ${kind}`);
  return found;
}

describe('the sandbox', () => {
  it('has endpoints that clients can pay', async () => {
    const { url } = endpointOf('healthy');
    const { line } = await lint(url);
    expect(line).toMatchObject({ url, status: 402, payable: { v2: true } });
  });

  it('has one that refuses connections and one whose name is gone', async () => {
    for (const kind of ['dead', 'dns-gone']) {
      const { code, line } = await lint(endpointOf(kind).url);
      expect([code, line?.['status']]).toEqual([1, null]);
    }
  });

  it('does not have other names', async () => {
    const { code, line, stderr } = await lint('https://api.example.com/');
    expect([code, line]).toEqual([2, undefined]);
    expect(stderr).toContain('is not in the sandbox');
  });

  it('has to run', async () => {
    const { code, stderr } = await runHere([
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

  it('is missed where a service was killed and left its note', async () => {
    const left = join(folder, 'left');
    mkdirSync(left);
    const controlUrl = 'http://127.0.0.1:9/';
    writeFileSync(join(left, 'sandbox.json'), JSON.stringify({ controlUrl, caFile: 'ca.pem' }));
    const { code, stderr } = await runHere([
      'lint',
      '--sandbox',
      '--data-dir',
      left,
      'https://a.sandbox.test',
    ]);
    expect(code).toBe(2);
    expect(stderr).toContain(
      `its sandbox.json names ${controlUrl}, where nobody answers, so its service has`,
    );
  });
});
