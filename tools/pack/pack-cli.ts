import { fileURLToPath } from 'node:url';
import { packPackages } from './pack-packages.ts';

/** Folder of the packages: the argument, or `dist/packages`. */
const outDir = process.argv[2] ?? fileURLToPath(new URL('../../dist/packages', import.meta.url));
const { cli, guard } = await packPackages(outDir);
console.log(`Wrote ${cli} and ${guard}. To publish one: npm publish <folder>`);
