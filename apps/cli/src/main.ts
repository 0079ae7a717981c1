import { run } from './run.ts';

// The launcher has the other end of the IPC channel. When it is killed with SIGKILL, it can forward no signal.
process.once('disconnect', () => process.exit());
// The listener alone must not keep the process alive.
process.channel?.unref();

// process.exit() would discard output that a slow reader has not read yet.
process.exitCode = await run(process.argv.slice(2), process);
