/**
 * Entry of `npm start`, `npm run live` and `npm test`. Usage: `node tools/bootstrap.mjs start|live|test [arguments]`.
 *
 * This script runs before dependencies are installed, so this script and tools/bootstrap/ are plain JavaScript without
 * dependencies. This file uses only old syntax, so that old versions of Node can run the file and print an error.
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
