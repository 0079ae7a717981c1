import { prepareHistory } from './history.ts';

// Builds the history of the shared service, so that the next test run starts faster.
process.stdout.write(`${await prepareHistory()}\n`);
