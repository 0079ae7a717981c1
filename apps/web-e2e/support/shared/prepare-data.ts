import { prepareHistory } from './history.ts';

// Builds the history of the shared service, so that a later run of the tests starts at once.
process.stdout.write(`${await prepareHistory()}\n`);
