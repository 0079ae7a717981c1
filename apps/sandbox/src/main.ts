import { readConfig } from './config.ts';
import { createSandbox, type Sandbox } from './sandbox.ts';
import { toErrorMessage } from './startup-error.ts';

/** Sends the ready message to the parent process, or prints it as one line of JSON when there is no IPC channel. */
function reportReady(sandbox: Sandbox): void {
  if (process.send) process.send(sandbox.ready);
  else process.stdout.write(`${JSON.stringify(sandbox.ready)}\n`);
}

function fail(message: string): never {
  process.stderr.write(`sandbox: ${message}\n`);
  process.exit(1);
}

/** Logs a fault, and sends it to the parent process. The parent process shows the fault to the operator. */
function warn(message: string): void {
  process.stderr.write(`sandbox: ${message}\n`);
  if (process.send && process.connected) process.send({ type: 'notice', message });
}

async function start(): Promise<void> {
  let sandbox: Sandbox | null = null;
  const stop = () => {
    sandbox?.close();
    process.exit(0);
  };
  process.once('SIGTERM', stop);
  process.once('SIGINT', stop);
  process.once('disconnect', stop);
  sandbox = await createSandbox(readConfig(process.env), { warn, fail });
  reportReady(sandbox);
}

start().catch((error: unknown) => fail(toErrorMessage(error)));
