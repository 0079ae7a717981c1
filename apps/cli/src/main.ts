import { run } from './run.ts';

// Not process.exit, which would cut off what a slow reader of our output has not taken yet.
process.exitCode = await run(process.argv.slice(2), process);
