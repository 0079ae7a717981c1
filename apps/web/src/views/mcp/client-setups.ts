import { MCP_PATH } from '@touchstone/contract';
import { isOnThisMachine } from '../../operations/documents/cli-command.ts';

/** Command or file content that connects one client to the remote or the local server. */
interface SetupSample {
  readonly language: 'shell' | 'json' | 'toml';
  /** Instruction before the sample, for example the path of the configuration file. */
  readonly instruction: string;
  readonly code: string;
}

/** Ways to connect one MCP client. */
export interface ClientSetup {
  /** Id of the section, for links: the name in lower case with hyphens. */
  readonly id: string;
  readonly name: string;
  /** Sample for the remote server. */
  readonly remote: SetupSample;
  /** Sample for the local server. The local server pays with a wallet. */
  readonly local: SetupSample;
  /** Link that opens the client and adds the remote server; null if the client supports no such link. */
  readonly installLink: string | null;
}

/** Limits of the local server in all samples, in US dollars. */
const MAX_USD = '0.50';
const MAX_TOTAL_USD = '1';

/** Name of the server in the configuration of a client. */
const SERVER_NAME = 'touchstone';

/** Environment variable with the private key of the wallet. */
const KEY_VARIABLE = 'TOUCHSTONE_KEY';

/**
 * Creates the setups of common MCP clients, in the order of the page. The last setup is for all other clients.
 *
 * @param baseUrl Public origin of the service, without a path.
 */
export function createClientSetups(baseUrl: string): readonly ClientSetup[] {
  const url = `${baseUrl}${MCP_PATH}`;
  const args = toLocalArguments(baseUrl);
  const rows: readonly SetupRow[] = [
    describeClaudeCode(url, args),
    describeClaudeDesktop(url, args),
    describeCursor(url, args),
    describeVsCode(url, args),
    describeCodex(url, args),
    describeGemini(url, args),
    describeOthers(url, args),
  ];
  return rows.map(([name, remote, local, installLink = null]) => ({
    id: name.toLowerCase().replaceAll(' ', '-'),
    name,
    remote,
    local: isOnThisMachine(baseUrl) ? SANDBOX_SERVER : local,
    installLink,
  }));
}

/** Setup of one client: its name, its samples, and its link that adds the remote server. */
type SetupRow = readonly [name: string, remote: SetupSample, local: SetupSample, installLink?: string];

/** Local server for a service that runs from this repository. It pays with the test money of the sandbox. */
const SANDBOX_SERVER: SetupSample = {
  language: 'shell',
  instruction:
    'This service takes test money. Add a local server with this command, which runs in the folder of this repository and needs no wallet:',
  code: 'npx touchstone mcp --sandbox',
};

/** Arguments of `npx` that start the local server. */
export function toLocalArguments(baseUrl: string): readonly string[] {
  const limits = ['--max-usd', MAX_USD, '--max-total-usd', MAX_TOTAL_USD];
  return ['-y', '@touchstone/cli', 'mcp', '--service', baseUrl, ...limits];
}

const shell = (instruction: string, code: string): SetupSample => ({ language: 'shell', instruction, code });

const json = (instruction: string, value: unknown): SetupSample => ({
  language: 'json',
  instruction,
  code: JSON.stringify(value, null, 2),
});

type Arguments = readonly string[];

/** Entry of the local server in a file with `mcpServers`. The syntax of `key` depends on the client. */
function toLocalServer(args: Arguments, key: string) {
  return { command: 'npx', args, env: { [KEY_VARIABLE]: key } };
}

const toServers = (server: unknown) => ({ mcpServers: { [SERVER_NAME]: server } });

function describeClaudeCode(url: string, args: Arguments): SetupRow {
  return [
    'Claude Code',
    shell('Run:', `claude mcp add --transport http ${SERVER_NAME} ${url}`),
    json(
      `Save as .mcp.json in your project, and set ${KEY_VARIABLE} before you start Claude Code:`,
      toServers(toLocalServer(args, `\${${KEY_VARIABLE}}`)),
    ),
  ];
}

function describeClaudeDesktop(url: string, args: Arguments): SetupRow {
  return [
    'Claude Desktop',
    shell('Open Settings, Connectors, Add custom connector, and paste this URL. It must be public:', url),
    json(
      'Add to claude_desktop_config.json (Settings, Developer, Edit Config) with your key, and restart:',
      toServers(toLocalServer(args, '0x…')),
    ),
  ];
}

function describeCursor(url: string, args: Arguments): SetupRow {
  const config = Buffer.from(JSON.stringify({ url })).toString('base64');
  const query = new URLSearchParams({ name: SERVER_NAME, config }).toString();
  return [
    'Cursor',
    json('Add to ~/.cursor/mcp.json:', toServers({ url })),
    json(
      `Add to ~/.cursor/mcp.json, and set ${KEY_VARIABLE} in your environment:`,
      toServers(toLocalServer(args, `\${env:${KEY_VARIABLE}}`)),
    ),
    `cursor://anysphere.cursor-deeplink/mcp/install?${query}`,
  ];
}

function describeVsCode(url: string, args: Arguments): SetupRow {
  const server = { type: 'http', url };
  const input = {
    type: 'promptString',
    id: 'touchstone-key',
    description: 'Private key of the wallet that pays',
    password: true,
  };
  const local = { type: 'stdio', ...toLocalServer(args, `\${input:${input.id}}`) };
  const install = encodeURIComponent(JSON.stringify({ name: SERVER_NAME, ...server }));
  return [
    'VS Code',
    json('Save as .vscode/mcp.json:', { servers: { [SERVER_NAME]: server } }),
    json('Save as .vscode/mcp.json. VS Code asks for the key once and stores it encrypted:', {
      inputs: [input],
      servers: { [SERVER_NAME]: local },
    }),
    `vscode:mcp/install?${install}`,
  ];
}

function describeCodex(url: string, args: Arguments): SetupRow {
  const local = [
    `[mcp_servers.${SERVER_NAME}]`,
    `command = "npx"`,
    `args = ${JSON.stringify(args)}`,
    `env_vars = ["${KEY_VARIABLE}"]`,
    // The default of ten seconds is too short for the first download of the package.
    `startup_timeout_sec = 60`,
  ];
  const instruction = `Add to ~/.codex/config.toml, and set ${KEY_VARIABLE} in your environment:`;
  return [
    'Codex',
    shell('Run:', `codex mcp add ${SERVER_NAME} --url ${url}`),
    { language: 'toml', instruction, code: local.join('\n') },
  ];
}

function describeGemini(url: string, args: Arguments): SetupRow {
  return [
    'Gemini CLI',
    shell('Run:', `gemini mcp add --scope user --transport http ${SERVER_NAME} ${url}`),
    json(
      `Add to ~/.gemini/settings.json, and set ${KEY_VARIABLE} in your environment:`,
      toServers(toLocalServer(args, `$${KEY_VARIABLE}`)),
    ),
  ];
}

function describeOthers(url: string, args: Arguments): SetupRow {
  return [
    'Other clients',
    json('Most clients accept this form:', toServers({ type: 'http', url })),
    json('Most clients accept this form. Replace 0x… with your key:', toServers(toLocalServer(args, '0x…'))),
  ];
}
