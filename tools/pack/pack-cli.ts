import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { packPackages } from './pack-packages.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { service: { type: 'string' } },
});
/** Folder of the packages: the argument, or `dist/packages`. */
const outDir = positionals[0] ?? fileURLToPath(new URL('../../dist/packages', import.meta.url));
const { cli, guard, registryEntry, sboms } = await packPackages(outDir, values.service);
console.log(`Wrote ${cli} and ${guard}. To publish one: npm publish <folder>`);
console.log(`Wrote ${Object.values(sboms).join(', ')}: software bills of materials (CycloneDX)`);
if (registryEntry === null) console.log('For the MCP registry: npm run pack -- --service https://<host>');
else console.log(`Wrote ${registryEntry}. To publish it in the MCP registry: mcp-publisher publish`);
