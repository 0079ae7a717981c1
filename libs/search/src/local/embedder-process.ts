import { z } from 'zod';
import { createEmbedHandler } from '../../../../supabase/functions/embed/handler.ts';
import { loadLocalModel, type LocalModel, findModelFiles, LocalModelError } from './local-model.ts';
import { serveLocally } from './serve.ts';

/**
 * Entry point of the process that embeds texts on this machine. The process sends these messages to its parent process
 * by IPC:
 *
 * - `{type: 'listening', url}` immediately. Requests wait until the model is loaded.
 * - `{type: 'ready', url, megabytes}` when the model is loaded.
 * - `{type: 'disabled', reason}` when the model cannot be used. The process then ends with exit code 0.
 *
 * The process stops on SIGTERM or SIGINT, and when the parent process ends.
 */
const environmentSchema = z.object({
  EMBEDDER_TOKEN: z.string().min(16),
  EMBEDDER_PORT: z.coerce.number().int().min(0).max(65_535).default(0),
  /** Folder of the model files; by default the folder of the installed package. */
  EMBEDDER_MODEL_DIR: z.string().min(1).optional(),
});

async function main(): Promise<void> {
  const settings = environmentSchema.parse(process.env);
  for (const event of ['SIGTERM', 'SIGINT', 'disconnect']) process.once(event, () => process.exit(0));
  const loading = findModelFiles(settings.EMBEDDER_MODEL_DIR).then((files) => loadLocalModel(files));
  const embed = async (text: string): ReturnType<LocalModel['embed']> => (await loading).embed(text);
  const { url } = await serveLocally(
    createEmbedHandler({ embed, keys: [settings.EMBEDDER_TOKEN] }),
    settings.EMBEDDER_PORT,
  );
  process.send?.({ type: 'listening', url });
  try {
    await loading;
    process.send?.({ type: 'ready', url, megabytes: Math.round(process.memoryUsage.rss() / 1e6) });
  } catch (error) {
    if (!(error instanceof LocalModelError)) throw error;
    process.send?.({ type: 'disabled', reason: error.message }, () => process.exit(0));
  }
}

main().catch((error: unknown) => {
  process.stderr.write(`embedder: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
});
