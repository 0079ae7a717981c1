#!/usr/bin/env node
/**
 * Launcher of the command line. The launcher may run on an unsupported version of Node.js. It finds a supported version
 * and starts the command with that version.
 */
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../..', import.meta.url));
/**
 * Entry files of the commands for the operator of a service on this machine. They need its database, so the published
 * package does not contain them.
 */
const SERVICE_COMMANDS = {
  backup: '../../service/src/backup/backup-cli.ts',
  restore: '../../service/src/backup/backup-cli.ts',
  disputes: '../../service/src/disputes/disputes-cli.ts',
};
const command = process.argv[2] ?? '';
const file = Object.hasOwn(SERVICE_COMMANDS, command) ? SERVICE_COMMANDS[command] : '../src/main.ts';
const entry = fileURLToPath(new URL(file, import.meta.url));

// The tools folder is not a package, so its modules are imported by path.
const { findNode } = await import(new URL('../../../tools/bootstrap/find-node.mjs', import.meta.url).href);

/** Exit code when the command cannot be started. The code is not 1, because 1 means that the command found errors. */
const FAILURE_EXIT_CODE = 2;

function isInstalled() {
  const { dependencies } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
  try {
    for (const name of Object.keys(dependencies)) import.meta.resolve(name);
    return true;
  } catch {
    return false;
  }
}

if (!isInstalled()) {
  process.stderr.write(`Touchstone is not installed yet: run npm start or npm install in ${root} first.\n`);
  process.exit(FAILURE_EXIT_CODE);
}

function findNodeOrExit() {
  try {
    return findNode(root);
  } catch (error) {
    process.stderr.write(`${error.message}\n`);
    process.exit(FAILURE_EXIT_CODE);
  }
}

// The child process exits when its IPC channel to this process closes. So the child process also exits after a SIGKILL
// of this process. SIGKILL cannot be forwarded.
const child = spawn(findNodeOrExit(), [entry, ...process.argv.slice(2)], {
  stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
});
const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];
// A signal that was sent only to this process would not reach the child, so it is forwarded.
const forwardSignal = (signal) => child.kill(signal);
for (const signal of signals) process.on(signal, forwardSignal);

child.on('error', (error) => {
  process.stderr.write(`Touchstone could not be started: ${error.message}\n`);
  process.exitCode = FAILURE_EXIT_CODE;
});
child.on('exit', (code, signal) => {
  for (const name of signals) process.off(name, forwardSignal);
  if (signal === null) process.exitCode = code;
  else process.kill(process.pid, signal);
});
