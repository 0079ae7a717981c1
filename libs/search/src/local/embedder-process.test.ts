import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, expect, it } from 'vitest';
import { z } from 'zod';
import { createHttpEmbedder } from '../index.ts';
import { readRecordedVectors } from '../testing/recorded-vectors.ts';
import { centreVector, computeCosine } from '../vector-space/vectors.ts';

const ENTRY = fileURLToPath(import.meta.resolve('@touchstone/search/embedder-process'));
const TOKEN = 'token-of-the-embedder';
const listening = z.object({ type: z.literal('listening'), url: z.url() });
const folder = mkdtempSync(join(tmpdir(), 'embedder-'));
let child: ChildProcess | null = null;

afterEach(() => {
  child?.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

/** Starts the process and returns its messages. The next message is awaited with `next`. */
function start(env: Record<string, string>, execArgv: readonly string[] = []) {
  const messages: unknown[] = [];
  const started = fork(ENTRY, [], {
    env: { ...process.env, EMBEDDER_TOKEN: TOKEN, ...env },
    execArgv: [...execArgv],
    silent: true,
  });
  started.on('message', (message) => messages.push(message));
  child = started;
  return {
    child: started,
    next: async (): Promise<unknown> => {
      if (messages.length === 0) await once(started, 'message');
      return messages.shift();
    },
    /** Resolves with the exit code. */
    exited: once(started, 'exit').then(([code]: unknown[]) => code),
  };
}

it('responds to requests that arrive while the model is loaded, and exits with its parent', async () => {
  const embedder = start({});
  const { url } = listening.parse(await embedder.next());
  const [recorded] = readRecordedVectors();
  const text = recorded?.text ?? '';
  const [vector = []] = await createHttpEmbedder({ url, token: TOKEN }).embed([text]);
  expect(computeCosine(vector, centreVector(recorded?.vector ?? []))).toBeGreaterThanOrEqual(0.9999);
  expect(await embedder.next()).toEqual({ type: 'ready', url, megabytes: expect.any(Number) as number });
  expect((await fetch(url, { method: 'POST', body: '{"texts":[]}' })).status).toBe(401);
  // With one byte more than the limit, the whole body is read before the response. After a larger body the connection
  // can be closed before the client reads the status.
  const large = { method: 'POST', headers: { apikey: TOKEN }, body: ' '.repeat(256 * 1024 + 1) };
  expect((await fetch(url, large)).status).toBe(413);
  embedder.child.disconnect();
  expect(await embedder.exited).toBe(0);
});

const HOOK = `import { registerHooks } from 'node:module';
  registerHooks({ resolve(name, context, next) {
    if (name === 'onnxruntime-node') throw Object.assign(new Error('not found'), { code: 'ERR_MODULE_NOT_FOUND' });
    return next(name, context);
  } });`;

it.each<[title: string, embedder: () => ReturnType<typeof start>, reason: RegExp]>([
  [
    'a file is missing',
    () => start({ EMBEDDER_MODEL_DIR: folder }),
    /^The file .*onnx.model\.onnx is missing or unreadable; run npm ci\.$/,
  ],
  [
    'a file was altered',
    () => {
      mkdirSync(join(folder, 'onnx'), { recursive: true });
      writeFileSync(join(folder, 'onnx/model.onnx'), 'altered');
      writeFileSync(join(folder, 'tokenizer.json'), '{}');
      return start({ EMBEDDER_MODEL_DIR: folder });
    },
    /^The file .* is not that of gte-small, because its SHA-256 differs; run npm ci\.$/,
  ],
  [
    'the runtime is not installed',
    () => start({}, ['--import', `data:text/javascript,${encodeURIComponent(HOOK)}`]),
    /^onnxruntime-node or @huggingface.tokenizers cannot be loaded \(ERR_MODULE_NOT_FOUND\); run npm ci\.$/,
  ],
])('is disabled when %s', async (_, startEmbedder, reason) => {
  const embedder = startEmbedder();
  listening.parse(await embedder.next());
  const message = { type: 'disabled', reason: expect.stringMatching(reason) as string };
  expect(await embedder.next()).toEqual(message);
  expect(await embedder.exited).toBe(0);
});
