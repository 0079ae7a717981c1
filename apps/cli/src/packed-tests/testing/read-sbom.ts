import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';

const ROOT = fileURLToPath(new URL('../../../../..', import.meta.url));
const packageSchema = z.object({ name: z.string(), version: z.string() });
const sbomSchema = z.object({
  metadata: z.object({ component: packageSchema }),
  components: z.array(packageSchema),
});
const manifestSchema = z.object({ dependencies: z.record(z.string(), z.string()).optional() });

/** Reads the described software and the packages in a bill of materials, each as `name@version`. */
export function readSbom(file: string): { readonly described: string; readonly packages: readonly string[] } {
  const { metadata, components } = sbomSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
  const format = ({ name, version }: z.infer<typeof packageSchema>): string => `${name}@${version}`;
  return { described: format(metadata.component), packages: components.map(format).toSorted() };
}

/** Lists the packages in a text of third-party licenses, each as `name@version`. */
export function listLicensed(text: string): readonly string[] {
  return Array.from(
    text.matchAll(/^(\S+) (\d\S*)\n=+$/gm),
    ([, name = '', version = '']) => `${name}@${version}`,
  ).toSorted();
}

/** Lists the names of the third-party packages that the workspaces declare as dependencies. */
export function listDeclaredDependencies(): readonly string[] {
  const manifests = ['apps', 'libs'].flatMap((folder) =>
    readdirSync(join(ROOT, folder)).map((name) => join(ROOT, folder, name, 'package.json')),
  );
  return manifests
    .map((file) => manifestSchema.parse(JSON.parse(readFileSync(file, 'utf8'))))
    .flatMap(({ dependencies = {} }) => Object.keys(dependencies))
    .filter((name) => !name.startsWith('@touchstone/'));
}
