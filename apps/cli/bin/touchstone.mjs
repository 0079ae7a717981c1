#!/usr/bin/env node
/** Runs the command line on the Node it needs, whichever Node npm started this with. */
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const entry = fileURLToPath(new URL('../src/main.ts', import.meta.url));

// The tools of the repository are no package that could be imported by a name.
const { findNode } = await import(new URL('../../../tools/bootstrap/find-node.mjs', import.meta.url).href);

/** 1 would say that the command found errors. */
const couldNotRun = 2;

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
  process.exit(couldNotRun);
}

function nodeFor() {
  try {
    return findNode(root);
  } catch (error) {
    process.stderr.write(`${error.message}\n`);
    process.exit(couldNotRun);
  }
}

// Over the channel the child learns of our end, also when it comes without a signal that could be passed on.
const child = spawn(nodeFor(), [entry, ...process.argv.slice(2)], {
  stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
});
const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];
// The terminal sends Ctrl-C to the child as well; a signal sent to this process alone has to be passed on.
const passOn = (signal) => child.kill(signal);
for (const signal of signals) process.on(signal, passOn);

child.on('error', (error) => {
  process.stderr.write(`Touchstone could not be started: ${error.message}\n`);
  process.exitCode = couldNotRun;
});
child.on('exit', (code, signal) => {
  for (const name of signals) process.off(name, passOn);
  if (signal === null) process.exitCode = code;
  else process.kill(process.pid, signal);
});
