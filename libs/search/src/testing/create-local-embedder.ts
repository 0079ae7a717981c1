import { createEmbedHandler } from '../../../../supabase/functions/embed/handler.ts';
import { createHttpEmbedder } from '../client/create-embedder.ts';
import type { Embedder } from '../embedder.ts';
import { loadLocalModel, type LocalModel, findModelFiles } from '../local/local-model.ts';

let loading: Promise<LocalModel> | null = null;

/** Loads the local model once per process, because the model needs more than 100 MB. */
export function loadSharedModel(): Promise<LocalModel> {
  loading ??= findModelFiles().then((files) => loadLocalModel(files));
  return loading;
}

/** Creates an embedder that calls the local model in this process. Requests have the wire format but use no socket. */
export async function createLocalEmbedder(): Promise<Embedder> {
  const { embed } = await loadSharedModel();
  const handle = createEmbedHandler({ embed, keys: ['token-of-the-test'] });
  const fetchLocally: typeof fetch = (url, init) => handle(new Request(url, init));
  return createHttpEmbedder({ url: 'http://127.0.0.1/', token: 'token-of-the-test', fetch: fetchLocally });
}
