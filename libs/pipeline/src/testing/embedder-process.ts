import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { createHttpEmbedder, type Embedder } from '@touchstone/search';

const TOKEN = 'token-of-the-pipeline-test';

/** Starts the embedder process of the one-machine service, with the real model, and waits until the model is loaded. */
export async function startEmbedderProcess(): Promise<{ embedder: Embedder; close: () => Promise<void> }> {
  const entry = fileURLToPath(import.meta.resolve('@touchstone/search/embedder-process'));
  const child = fork(entry, { env: { ...process.env, EMBEDDER_TOKEN: TOKEN }, execArgv: [] });
  const exited = once(child, 'exit');
  const url = await new Promise<string>((ready, fail) => {
    child.on('message', (message: { type: string; url?: string; reason?: string }) => {
      if (message.type === 'ready' && message.url !== undefined) ready(message.url);
      else if (message.type === 'disabled') fail(new Error(message.reason));
    });
    child.once('exit', (code) =>
      fail(new Error(`the embedder process ended with exit code ${String(code)}`)),
    );
  });
  return {
    embedder: createHttpEmbedder({ url, token: TOKEN }),
    close: async () => {
      child.kill();
      await exited;
    },
  };
}
