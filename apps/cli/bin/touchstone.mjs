#!/usr/bin/env node
/** Launcher of the command line. It starts the command with a suitable Node.js, whichever version npm runs. */
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const entry = fileURLToPath(new URL('../src/main.ts', import.meta.url));

// The tools folder is not a package, so it is imported by its path.
const { findNode } = await import(new URL('../../../tools/bootstrap/find-node.mjs', import.meta.url).href);

/** Exit code 1 means that the command found errors, so a failure to start needs another code. */
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

// The IPC channel closes when this process ends, also by SIGKILL, which cannot be forwarded. The child then exits.
const child = spawn(findNodeOrExit(), [entry, ...process.argv.slice(2)], {
  stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
});
const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];
// The terminal sends Ctrl-C to the child directly. Signals that only this process receives are forwarded.
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
