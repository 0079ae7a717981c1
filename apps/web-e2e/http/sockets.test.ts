import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { expect, it } from 'vitest';
import { findProcesses } from '../support/processes.ts';

/** State of a listening socket in `/proc/net/tcp`. */
const LISTEN = '0A';
/** 127.0.0.1 and ::1 as in `/proc/net/tcp` and `/proc/net/tcp6`. */
const LOOPBACK = ['0100007F', '00000000000000000000000001000000'];

/** Returns the inodes of the sockets that a process has open. */
function listSockets(pid: number): readonly string[] {
  return readdirSync(`/proc/${pid}/fd`).flatMap((fd) => {
    try {
      return /^socket:\[(\d+)\]$/.exec(readlinkSync(`/proc/${pid}/fd/${fd}`))?.[1] ?? [];
    } catch {
      return [];
    }
  });
}

/** Returns the addresses, as in `/proc/net/tcp`, on which processes listen. */
function listListeningAddresses(pids: readonly number[]): readonly string[] {
  const inodes = new Set(pids.flatMap(listSockets));
  return ['tcp', 'tcp6'].flatMap((table) =>
    readFileSync(`/proc/net/${table}`, 'utf8')
      .split('\n')
      .slice(1)
      .map((line) => line.trim().split(/\s+/))
      .filter(([, , , state, , , , , , inode = '']) => state === LISTEN && inodes.has(inode))
      .map(([, local = '']) => local.split(':')[0] ?? ''),
  );
}

it.skipIf(process.platform !== 'linux')('a sandbox listens on loopback only', () => {
  const addresses = listListeningAddresses(findProcesses(process.env['TOUCHSTONE_DATA_DIR'] ?? ''));
  // Minimum number of addresses: site, database, embedder, endpoints, directory, control server and receiver.
  expect(addresses.length).toBeGreaterThanOrEqual(7);
  expect(addresses.filter((address) => !LOOPBACK.includes(address))).toEqual([]);
});
