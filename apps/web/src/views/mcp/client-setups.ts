import { MCP_PATH } from '@touchstone/contract';
import { CLONE_FOLDER, isOnThisMachine, listServerWords } from '../../operations/documents/cli-command.ts';

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
  const local = createLocalServer(baseUrl);
  const rows: readonly SetupRow[] = [
    describeClaudeCode(url, baseUrl),
    describeClaudeDesktop(url, local),
    describeCursor(url, local),
    describeVsCode(url, local),
    describeCodex(url, local),
    describeGemini(url, local),
    describeOthers(url, local),
  ];
  return rows.map(([name, remote, local, installLink = null]) => ({
    id: name.toLowerCase().replaceAll(' ', '-'),
    name,
    remote,
    local,
    installLink,
  }));
}

/** Setup of one client: its name, its samples, and its link that adds the remote server. */
type SetupRow = readonly [name: string, remote: SetupSample, local: SetupSample, installLink?: string];

/** Command that starts the local server. */
interface LocalServer {
  readonly command: string;
  readonly args: readonly string[];
  /** False for a server that pays with the test money of the sandbox. */
  readonly hasKey: boolean;
}

function createLocalServer(baseUrl: string): LocalServer {
  const [command, ...args] = listServerWords(baseUrl, CLONE_FOLDER);
  return { command, args, hasKey: !isOnThisMachine(baseUrl) };
}

const shell = (instruction: string, code: string): SetupSample => ({ language: 'shell', instruction, code });

const json = (instruction: string, value: unknown): SetupSample => ({
  language: 'json',
  instruction,
  code: JSON.stringify(value, null, 2),
});

/** Entry of the local server in a file with `mcpServers`. The syntax of `key` depends on the client. */
function toLocalEntry({ command, args, hasKey }: LocalServer, key: string) {
  return { command, args, ...(hasKey ? { env: { [KEY_VARIABLE]: key } } : {}) };
}

/**
 * Formats the instruction before a local sample.
 *
 * @param place Place of the sample, such as "Add to ~/.cursor/mcp.json".
 * @param keyStep Step for the key of the wallet.
 */
function formatLocalStep({ hasKey }: LocalServer, place: string, keyStep: string): string {
  return hasKey
    ? `${place}, and ${keyStep}:`
    : `${place}, and replace ${CLONE_FOLDER} with the folder of this repository. The server pays with test money:`;
}

const SET_KEY = `set ${KEY_VARIABLE} in your environment`;

const toServers = (server: unknown) => ({ mcpServers: { [SERVER_NAME]: server } });

function describeClaudeCode(url: string, baseUrl: string): SetupRow {
  const hasKey = !isOnThisMachine(baseUrl);
  const words = [
    `claude mcp add ${SERVER_NAME}`,
    ...(hasKey ? [`--env "${KEY_VARIABLE}=$${KEY_VARIABLE}"`] : []),
    '--',
    ...listServerWords(baseUrl),
  ];
  return [
    'Claude Code',
    shell('Run:', `claude mcp add --transport http ${SERVER_NAME} ${url}`),
    shell(
      hasKey
        ? `Set ${KEY_VARIABLE} in your shell, and run:`
        : 'Run in the folder of this repository. The server pays with test money:',
      words.join(' '),
    ),
  ];
}

function describeClaudeDesktop(url: string, local: LocalServer): SetupRow {
  return [
    'Claude Desktop',
    shell('Open Settings, Connectors, Add custom connector, and paste this URL. It must be public:', url),
    json(
      formatLocalStep(
        local,
        'Add to claude_desktop_config.json (Settings, Developer, Edit Config)',
        'replace 0x… with your key',
      ),
      toServers(toLocalEntry(local, '0x…')),
    ),
  ];
}

function describeCursor(url: string, local: LocalServer): SetupRow {
  const config = Buffer.from(JSON.stringify({ url })).toString('base64');
  const query = new URLSearchParams({ name: SERVER_NAME, config }).toString();
  return [
    'Cursor',
    json('Add to ~/.cursor/mcp.json:', toServers({ url })),
    json(
      formatLocalStep(local, 'Add to ~/.cursor/mcp.json', SET_KEY),
      toServers(toLocalEntry(local, `\${env:${KEY_VARIABLE}}`)),
    ),
    `cursor://anysphere.cursor-deeplink/mcp/install?${query}`,
  ];
}

function describeVsCode(url: string, local: LocalServer): SetupRow {
  const server = { type: 'http', url };
  const input = {
    type: 'promptString',
    id: 'touchstone-key',
    description: 'Private key of the wallet that pays',
    password: true,
  };
  const entry = { type: 'stdio', ...toLocalEntry(local, `\${input:${input.id}}`) };
  const install = encodeURIComponent(JSON.stringify({ name: SERVER_NAME, ...server }));
  return [
    'VS Code',
    json('Save as .vscode/mcp.json:', { servers: { [SERVER_NAME]: server } }),
    json(
      formatLocalStep(local, 'Save as .vscode/mcp.json', 'enter your key once. VS Code stores it encrypted'),
      { ...(local.hasKey ? { inputs: [input] } : {}), servers: { [SERVER_NAME]: entry } },
    ),
    `vscode:mcp/install?${install}`,
  ];
}

function describeCodex(url: string, local: LocalServer): SetupRow {
  const { command, args, hasKey } = local;
  const lines = [
    `[mcp_servers.${SERVER_NAME}]`,
    `command = "${command}"`,
    `args = ${JSON.stringify(args)}`,
    ...(hasKey ? [`env_vars = ["${KEY_VARIABLE}"]`] : []),
    // The default of ten seconds is too short for the first download of the package.
    `startup_timeout_sec = 60`,
  ];
  const instruction = formatLocalStep(local, 'Add to ~/.codex/config.toml', SET_KEY);
  return [
    'Codex',
    shell('Run:', `codex mcp add ${SERVER_NAME} --url ${url}`),
    { language: 'toml', instruction, code: lines.join('\n') },
  ];
}

function describeGemini(url: string, local: LocalServer): SetupRow {
  return [
    'Gemini CLI',
    shell('Run:', `gemini mcp add --scope user --transport http ${SERVER_NAME} ${url}`),
    json(
      formatLocalStep(local, 'Add to ~/.gemini/settings.json', SET_KEY),
      toServers(toLocalEntry(local, `$${KEY_VARIABLE}`)),
    ),
  ];
}

function describeOthers(url: string, local: LocalServer): SetupRow {
  return [
    'Other clients',
    json('Most clients accept this form:', toServers({ type: 'http', url })),
    json(
      formatLocalStep(local, 'Use the form that most clients accept', 'replace 0x… with your key'),
      toServers(toLocalEntry(local, '0x…')),
    ),
  ];
}
