import { run } from './run.ts';

// The launcher holds the other end of a channel; when it is killed outright, nobody is left to pass signals on.
process.once('disconnect', () => process.exit());
// Waiting for that keeps nothing running.
process.channel?.unref();

// Not process.exit, which would cut off what a slow reader of our output has not taken yet.
process.exitCode = await run(process.argv.slice(2), process);
