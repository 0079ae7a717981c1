import { mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { startService } from '../support/service.ts';

/** State of a listening socket in `/proc/net/tcp`. */
const LISTEN = '0A';

/** Returns a process and all its descendants. */
function listProcesses(root: number): readonly number[] {
  const children = readdirSync(`/proc/${root}/task`).flatMap((task) =>
    readFileSync(`/proc/${root}/task/${task}/children`, 'utf8').split(' ').filter(Boolean).map(Number),
  );
  return [root, ...children.flatMap(listProcesses)];
}

/** Returns the addresses, as in `/proc/net/tcp`, on which a process and its descendants listen. */
function listListeningAddresses(root: number): readonly string[] {
  const inodes = new Set(
    listProcesses(root).flatMap((pid) =>
      readdirSync(`/proc/${pid}/fd`).flatMap((fd) => {
        try {
          return /^socket:\[(\d+)\]$/.exec(readlinkSync(`/proc/${pid}/fd/${fd}`))?.[1] ?? [];
        } catch {
          return [];
        }
      }),
    ),
  );
  return ['tcp', 'tcp6'].flatMap((table) =>
    readFileSync(`/proc/net/${table}`, 'utf8')
      .split('\n')
      .slice(1)
      .map((line) => line.trim().split(/\s+/))
      .filter(([, , , state, , , , , , inode = '']) => state === LISTEN && inodes.has(inode))
      .map(([, local = '']) => local.split(':')[0] ?? ''),
  );
}

/** 127.0.0.1 and ::1 as in `/proc/net/tcp` and `/proc/net/tcp6`. */
const LOOPBACK = ['0100007F', '00000000000000000000000001000000'];

test.skip(process.platform !== 'linux', 'the test reads /proc');

test('a sandbox listens on loopback only', async () => {
  test.setTimeout(180_000);
  const dataDir = mkdtempSync(join(tmpdir(), 'touchstone-sockets-'));
  const service = await startService({ DATA_DIR: dataDir, SANDBOX_DAYS: '0', SITE_BUILD: 'skip' });
  try {
    await service.waitForOutput('schedule', 150_000);
    const addresses = listListeningAddresses(service.process.pid ?? 0);
    // Site, database, embedder, endpoints, directory, control server and receiver.
    expect(addresses.length).toBeGreaterThanOrEqual(7);
    expect(addresses.filter((address) => !LOOPBACK.includes(address))).toEqual([]);
  } finally {
    await service.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
});
