import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

/** Code block of a Markdown document. */
export interface CodeSample {
  /** Path of the document and line number of the first line of code. */
  readonly location: string;
  /** Language after the opening fence; empty without one. */
  readonly language: string;
  readonly code: string;
}

const root = fileURLToPath(new URL('../../', import.meta.url));

/** Reads all code blocks of a document. */
export function readCodeSamples(path: string): readonly CodeSample[] {
  const text = readFileSync(`${root}${path}`, 'utf8');
  return [...text.matchAll(/^( *)```(\w*)\n(.*?)^\1```$/gms)].map((match) => {
    const [, , language = '', code = ''] = match;
    const line = text.slice(0, match.index).split('\n').length + 1;
    return { location: `${path}:${String(line)}`, language, code };
  });
}

/**
 * Checks the types of TypeScript samples, each as a module of its own.
 *
 * @returns The messages of the compiler, each with the location of its sample.
 */
export function checkSampleTypes(samples: readonly CodeSample[]): readonly string[] {
  // The files exist only in memory. Their folder decides where the compiler finds the imported packages.
  const files = new Map(
    samples.map((sample, index) => [`${root}tools/docs/sample-${String(index)}.ts`, sample]),
  );
  const options = readCompilerOptions();
  const disk = ts.createCompilerHost(options);
  const host: ts.CompilerHost = {
    ...disk,
    fileExists: (name) => files.has(name) || disk.fileExists(name),
    getSourceFile: (name, language) => {
      const sample = files.get(name);
      if (sample === undefined) return disk.getSourceFile(name, language);
      return ts.createSourceFile(name, sample.code, language);
    },
  };
  const program = ts.createProgram([...files.keys()], options, host);
  return [...files].flatMap(([name, { location }]) => {
    const file = program.getSourceFile(name);
    const diagnostics = [...program.getSyntacticDiagnostics(file), ...program.getSemanticDiagnostics(file)];
    return diagnostics.map(
      ({ messageText }) => `${location}: ${ts.flattenDiagnosticMessageText(messageText, ' ')}`,
    );
  });
}

function readCompilerOptions(): ts.CompilerOptions {
  const file = ts.readConfigFile(`${root}tsconfig.base.json`, (path) => ts.sys.readFile(path));
  const config = { ...(file.config as object), files: [] };
  return ts.parseJsonConfigFileContent(config, ts.sys, root).options;
}

/** Command of the CLI in a shell sample. */
export interface CliCommand {
  readonly location: string;
  /** Words after the name of the program: the subcommand, arguments and options. */
  readonly words: readonly string[];
}

/**
 * Finds the calls of the CLI with npx: in shell samples, and in JSON configurations of MCP servers. A backslash at the
 * end of a line continues a shell command.
 */
export function findCliCommands(samples: readonly CodeSample[]): readonly CliCommand[] {
  return samples.flatMap(({ location, language, code }) => {
    const commands = language === 'json' ? findServerCommands(code) : [code.replaceAll('\\\n', ' ')];
    return commands.flatMap((command) =>
      [...command.matchAll(/\bnpx (?:-y )?(?:@touchstone\/cli|touchstone) ([^\n#]+)/g)].map(
        ([, text = '']) => ({
          location,
          words: text.trim().split(/\s+/),
        }),
      ),
    );
  });
}

function findServerCommands(code: string): readonly string[] {
  const config = JSON.parse(code) as {
    readonly mcpServers?: Readonly<
      Record<string, { readonly command?: string; readonly args?: readonly string[] }>
    >;
  };
  return Object.values(config.mcpServers ?? {}).flatMap(({ command, args = [] }) =>
    command === undefined ? [] : [[command, ...args].join(' ')],
  );
}
