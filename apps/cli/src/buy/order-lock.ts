import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { CliError } from '../cli-error.ts';
import { digestOf } from './kept-payments.ts';
import type { Order } from './order.ts';

/**
 * Lets one run at a time buy what an order asks for, so that two that begin together do not both pay for it. Whatever
 * bought something and is not there any more, because it was killed, holds nobody up.
 *
 * @param folder where the state of the command is kept
 * @returns lets go of it
 * @throws CliError while another run buys the same
 */
export function lockOrder(folder: string, order: Order): () => void {
  const place = join(folder, 'locks');
  const file = join(place, `${digestOf({ url: order.url.href, body: order.body })}.lock`);
  const own = `${hostname()} ${String(process.pid)}\n`;
  try {
    mkdirSync(place, { recursive: true, mode: 0o700 });
    if (!create(file, own)) {
      clearAway(file);
      if (!create(file, own)) throw new CliError(busyWords(file));
    }
  } catch (cause) {
    if (cause instanceof CliError) throw cause;
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new CliError(`A payment could not be kept here, so nothing was signed or charged: ${why}`, {
      cause,
    });
  }
  return () => rmSync(file, { force: true });
}

/** Creates a file; false where there is one already. */
function create(file: string, content: string): boolean {
  try {
    writeFileSync(file, content, { mode: 0o600, flag: 'wx' });
    return true;
  } catch (error) {
    if (isCode(error, 'EEXIST')) return false;
    throw error;
  }
}

/**
 * Removes the lock of a process that is gone. Of several that see it one alone may remove it, and looks again before it
 * does: the lock may be a newer one by then, whose holder is there.
 */
function clearAway(file: string): void {
  const dead = read(file);
  if (dead === null || isHeld(dead)) return;
  const turn = `${file}.removed`;
  if (!create(turn, '')) return;
  try {
    if (read(file) === dead) rmSync(file, { force: true });
  } finally {
    rmSync(turn, { force: true });
  }
}

function read(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (isCode(error, 'ENOENT')) return null;
    throw error;
  }
}

/** Of another machine nobody can tell, nor of a lock that is just being written. */
function isHeld(content: string): boolean {
  const [host, pid = ''] = content.trim().split(' ');
  if (host !== hostname() || !/^\d{1,10}$/.test(pid)) return true;
  try {
    process.kill(Number(pid), 0);
    return true;
  } catch (error) {
    return !isCode(error, 'ESRCH');
  }
}

function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}

function busyWords(file: string): string {
  return (
    'Another run of the same command is buying this at present. Nothing was signed or charged by this one: ' +
    `run it again when the other one has ended. If there is none, remove ${file}`
  );
}
