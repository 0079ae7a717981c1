import { fork, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { createHttpEmbedder, type Embedder } from '@touchstone/search';
import { stopProcess } from '../processes.ts';

export interface LocalEmbedder {
  readonly embedder: Embedder;
  readonly stop: () => Promise<void>;
}

/** Message of the embedder process. */
interface Message {
  readonly type: 'listening' | 'ready' | 'disabled';
  readonly url?: string;
  readonly reason?: string;
}

function waitUntilReady(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    child.once('exit', () => reject(new Error('the embedder process ended before it was ready')));
    // The type is safe, because the embedder process of libs/search sends these messages.
    child.on('message', (message: Message) => {
      if (message.type === 'disabled') reject(new Error(`no embedder: ${message.reason ?? ''}`));
      if (message.type === 'ready' && message.url !== undefined) resolve(message.url);
    });
  });
}

/** Starts the embedder process that `npm start` also uses. */
export async function startEmbedder(): Promise<LocalEmbedder> {
  const token = randomBytes(16).toString('hex');
  const file = fileURLToPath(import.meta.resolve('@touchstone/search/embedder-process'));
  const child = fork(file, {
    env: { ...process.env, EMBEDDER_TOKEN: token },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  try {
    const url = await waitUntilReady(child);
    return { embedder: createHttpEmbedder({ url, token }), stop: () => stopProcess(child) };
  } catch (error) {
    await stopProcess(child);
    throw error;
  }
}
