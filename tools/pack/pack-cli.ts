import { fileURLToPath } from 'node:url';
import { packPackages } from './pack-packages.ts';

const outDir = fileURLToPath(new URL('../../dist/packages', import.meta.url));
const { cli, guard } = await packPackages(outDir);
console.log(`Wrote ${cli} and ${guard}. To publish one: npm publish <folder>`);
