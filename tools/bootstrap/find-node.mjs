import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Stop } from './stop.mjs';

const neededMajor = 24;

/**
 * The Node that runs Touchstone: the one installed with its dependencies, else the one that runs this script.
 *
 * @param {string} root
 * @returns {string} Path of the executable.
 * @throws {Stop} When neither is new enough.
 */
export function findNode(root) {
  const local = localNode(root);
  // It may be there and not run, where the C library is another one.
  if (existsSync(local) && majorOf(local) >= neededMajor) return local;
  if (Number(process.versions.node.split('.')[0]) >= neededMajor) return process.execPath;
  throw new Stop(
    `Touchstone runs on Node ${neededMajor}. None is packaged for ${process.platform} on ${process.arch}, and this is ` +
      `Node ${process.versions.node}: install Node ${neededMajor} from https://nodejs.org and run the command again.`,
  );
}

function localNode(root) {
  return process.platform === 'win32'
    ? join(root, `node_modules/node-win-${process.arch}/bin/node.exe`)
    : join(root, 'node_modules/.bin/node');
}

function majorOf(node) {
  const { stdout } = spawnSync(node, ['--version'], { encoding: 'utf8' });
  return Number(/^v(\d+)\./.exec(stdout ?? '')?.[1] ?? 0);
}
