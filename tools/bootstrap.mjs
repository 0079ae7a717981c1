/**
 * Entry of `npm start`, `npm run live` and `npm test`. Usage: `node tools/bootstrap.mjs start|live|test [arguments]`.
 *
 * This script runs before dependencies are installed, so it and tools/bootstrap/ are plain JavaScript without
 * dependencies. It also runs on old versions of Node, to print an error. This file therefore uses only old syntax.
 */
const version = process.versions.node;

if (Number(version.split('.')[0]) < 20) {
  console.error(
    'Touchstone needs Node 20 or newer to set itself up; this is Node ' +
      version +
      '. Install a newer one from https://nodejs.org.',
  );
  process.exitCode = 1;
} else {
  import('./bootstrap/main.mjs')
    .then((bootstrap) => bootstrap.main(process.argv.slice(2)))
    .then((exitCode) => {
      process.exitCode = exitCode;
    });
}
