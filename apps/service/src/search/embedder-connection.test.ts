import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it, vi } from 'vitest';
import { openEmbedderConnection, type EmbedderConnection } from './embedder-connection.ts';
import { Supervisor } from '../processes/supervisor.ts';

const logDir = mkdtempSync(join(tmpdir(), 'service-embedder-'));
const lines: string[] = [];
const print = (part: string, text: string) => lines.push(`${part} ${text}`);
let supervisor = new Supervisor({ logDir, print });

afterEach(async () => {
  await supervisor.stop();
  supervisor = new Supervisor({ logDir, print });
  lines.length = 0;
  rmSync(logDir, { recursive: true, force: true, maxRetries: 3 });
});

async function open(
  env: Record<string, string> = {},
  change: { listenTimeoutMs?: number } = {},
): Promise<EmbedderConnection> {
  mkdirSync(logDir, { recursive: true });
  const options = { supervisor, print, env, ...change };
  return openEmbedderConnection({ embedder: 'local', supabase: null }, options);
}

/** Returns the ids of the child processes that run the embedder. */
function findEmbedderProcesses(): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => {
      try {
        const isChild = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ')[1];
        const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8');
        return isChild === String(process.pid) && command.includes('embedder-process');
      } catch {
        return false;
      }
    });
}

it(
  'embeds texts, and restarts a process that ended on the same address',
  { timeout: 60_000 },
  async ({ skip }) => {
    if (process.platform !== 'linux') return skip('finds the process in /proc');
    const { embedder, variables } = await open();
    expect(variables).toEqual({
      EMBEDDER: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/$/) as string,
      EMBEDDER_TOKEN: expect.stringMatching(/^[\w-]{32}$/) as string,
    });
    expect(await embedder?.embed(['a text'])).toHaveLength(1);
    await vi.waitFor(
      () =>
        expect(lines).toContainEqual(expect.stringMatching(/^search gte-small on this machine \(\d+ MB\)$/)),
      20_000,
    );
    for (const pid of findEmbedderProcesses()) process.kill(pid, 'SIGKILL');
    await vi.waitFor(
      () => expect(lines).toContain('search stopped unexpectedly (killed by SIGKILL); restarted after 1 s'),
      20_000,
    );
    await vi.waitFor(async () => expect(await embedder?.embed(['a text'])).toHaveLength(1), {
      timeout: 30_000,
      interval: 250,
    });
    expect(findEmbedderProcesses()).toHaveLength(1);
    await supervisor.stop();
    expect(findEmbedderProcesses()).toEqual([]);
  },
);

it('is off when the process does not listen in time', async () => {
  const blocked = 'data:text/javascript,setInterval(()=>0,1e6);await(new%20Promise(()=>0))';
  const search = await open({ NODE_OPTIONS: `--import=${blocked}` }, { listenTimeoutMs: 1_000 });
  expect(lines).toEqual(['search off: The embedder process did not listen within 1 s.']);
  expect(search).toMatchObject({ embedder: null, variables: { EMBEDDER: 'none' } });
  if (process.platform === 'linux') expect(findEmbedderProcesses()).toEqual([]);
});

it('is off when a file of the model is missing', async () => {
  const search = await open({ EMBEDDER_MODEL_DIR: join(logDir, 'missing') });
  // The site gets the variables when it starts, so the result must be known by then.
  expect(lines).toHaveLength(1);
  expect(lines[0]).toMatch(/^search off: The file .*model\.onnx is missing or unreadable; run npm ci\.$/);
  expect(search.embedder).toBeNull();
  expect(search.variables).toEqual({ EMBEDDER: 'none', EMBEDDER_TOKEN: '' });
});

it('is off when the process cannot start', async () => {
  const search = await open({ NODE_OPTIONS: '--import=./no-such-file.js' });
  expect(lines[0]).toMatch(/^search off: /);
  expect(search.embedder).toBeNull();
});

it('uses the edge function, or nothing, as configured', async () => {
  const supabase = {
    url: 'https://project.supabase.co',
    secret: 'sb_secret_a',
    publishable: 'sb_publishable_a',
  };
  const edge = await openEmbedderConnection({ embedder: 'supabase', supabase }, { supervisor, print });
  expect(edge.variables).toEqual({ EMBEDDER: 'supabase', EMBEDDER_TOKEN: '' });
  expect(edge.embedder?.model).toMatch(/^gte-small\/mean-v1\/0\.5\//);
  const none = await openEmbedderConnection({ embedder: 'none', supabase }, { supervisor, print });
  expect(none).toMatchObject({ embedder: null, variables: { EMBEDDER: 'none', EMBEDDER_TOKEN: '' } });
  expect(lines).toEqual([
    'search edge function embed of https://project.supabase.co',
    'search off: EMBEDDER is none',
  ]);
});
