import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { CliError, toMessage } from '../command-tools.ts';
import { toServiceUrl } from '../service/request.ts';

/** A request for a paid operation. Orders with the same URL and body buy the same result. */
export interface Order {
  /** URL of the paid operation. */
  readonly url: URL;
  /** URL that the challenge must name: `url` without the query. */
  readonly resource: URL;
  /** JSON body, exactly as it is sent. If a payment is sent again, its request must have the same body. */
  readonly body: string;
  /**
   * Description for messages, such as `a trust report on https://…`. The description contains no text from the service.
   */
  readonly description: string;
}

export interface OrderParts {
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly input: unknown;
  readonly description: string;
}

export function createOrder(service: URL, { path, query, input, description }: OrderParts): Order {
  return {
    url: toServiceUrl(service, path, query),
    resource: toServiceUrl(service, path),
    body: JSON.stringify(input),
    description,
  };
}

/** Returns a hash of an order that can be part of a file name. */
export function hashOrder({ url, body }: Pick<Order, 'url' | 'body'>): string {
  return createHash('sha256').update(`${url.href}\n${body}`).digest('hex').slice(0, 32);
}

/**
 * Locks an order, so that concurrent runs of the same command do not both pay. Replaces the lock of a process that has
 * ended.
 *
 * @param folder state folder of the command
 * @returns function that removes the lock
 * @throws CliError while another run holds the lock
 */
export function lockOrder(folder: string, order: Order): () => void {
  const lockFolder = join(folder, 'locks');
  const file = join(lockFolder, `${hashOrder(order)}.lock`);
  const content = `${hostname()} ${String(process.pid)}\n`;
  try {
    mkdirSync(lockFolder, { recursive: true, mode: 0o700 });
    if (!createFile(file, content)) {
      removeStaleLock(file);
      if (!createFile(file, content)) throw createLockedError(file);
    }
  } catch (cause) {
    if (cause instanceof CliError) throw cause;
    throw new CliError(
      `Nothing was signed or charged: the lock file could not be written: ${toMessage(cause)}`,
      { cause },
    );
  }
  return () => rmSync(file, { force: true });
}

/** Creates a file. Returns false when the file exists already. */
function createFile(file: string, content: string): boolean {
  try {
    writeFileSync(file, content, { mode: 0o600, flag: 'wx' });
    return true;
  } catch (error) {
    if (hasCode(error, 'EEXIST')) return false;
    throw error;
  }
}

/**
 * Removes the lock file of a process that has ended. A second lock file ensures that only one run at a time removes lock
 * files. Before the removal, the run reads the lock file again, because another run may have replaced the file.
 */
function removeStaleLock(file: string): void {
  const stale = readIfExists(file);
  if (stale === null || isHeld(stale)) return;
  const removalLock = `${file}.removed`;
  if (!createFile(removalLock, '')) return;
  try {
    if (readIfExists(file) === stale) rmSync(file, { force: true });
  } finally {
    rmSync(removalLock, { force: true });
  }
}

function readIfExists(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return null;
    throw error;
  }
}

/**
 * Returns true if the process that wrote a lock may still run. Also returns true for a lock of another machine, and for
 * an incomplete lock.
 */
function isHeld(content: string): boolean {
  const [host, pid = ''] = content.trim().split(' ');
  if (host !== hostname() || !/^\d{1,10}$/.test(pid)) return true;
  try {
    process.kill(Number(pid), 0);
    return true;
  } catch (error) {
    return !hasCode(error, 'ESRCH');
  }
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}

function createLockedError(file: string): CliError {
  return new CliError(
    'Another run of the same command is in progress. Nothing was signed or charged by this run. ' +
      `Run it again when the other run has ended. If there is no other run, delete ${file}`,
    { code: 'purchase-in-progress', notCharged: true },
  );
}
