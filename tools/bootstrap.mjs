/**
 * The entry of `npm start`, `npm run live` and `npm test`: `node tools/bootstrap.mjs start|live|test [arguments]`.
 *
 * This script runs before anything is installed and on any version of Node. So it and tools/bootstrap/ are plain
 * JavaScript without dependencies, and this file uses only old syntax: old versions of Node must print its error.
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
