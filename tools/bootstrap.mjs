/**
 * The entry of `npm start`, `npm run live` and `npm test`: `node tools/bootstrap.mjs start|live|test [arguments]`.
 *
 * It runs before anything is installed, on whatever Node is there, so it and tools/bootstrap/ are plain JavaScript
 * without dependencies. This file stays readable to very old versions of Node: all it does is turn them away kindly.
 */
const version = process.versions.node;

if (Number(version.split('.')[0]) < 20) {
  console.error('Touchstone needs Node 20 or newer to set itself up; this is Node ' + version + '.');
  process.exitCode = 1;
} else {
  import('./bootstrap/main.mjs')
    .then((bootstrap) => bootstrap.main(process.argv.slice(2)))
    .then((exitCode) => {
      process.exitCode = exitCode;
    });
}
