import { MCP_PATH } from '@touchstone/contract';
import { isOnThisMachine } from '../../operations/documents/cli-command.ts';

/** Text to run or to save, which connects one client in one way. */
export interface SetupSample {
  readonly language: 'shell' | 'json' | 'toml';
  /** Instruction before the sample, for example the file that it belongs in. */
  readonly instruction: string;
  readonly code: string;
}

/** Ways to connect one MCP client. */
export interface ClientSetup {
  /** Id of the section, for links. */
  readonly id: string;
  readonly name: string;
  /** Samples for the remote server. */
  readonly remote: readonly SetupSample[];
  /** Samples for the local server, which pays with a wallet. */
  readonly local: readonly SetupSample[];
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
  const setups = [
    describeClaudeCode(url, args),
    describeClaudeDesktop(url, args),
    describeCursor(url, args),
    describeVsCode(url, args),
    describeCodex(url, args),
    describeGemini(url, args),
    describeOthers(url, args),
  ];
  return isOnThisMachine(baseUrl) ? setups.map((setup) => ({ ...setup, local: [SANDBOX_SERVER] })) : setups;
}

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

/** Entry of the local server in a file with `mcpServers`. Each client has its own syntax for `key`. */
function toLocalServer(args: Arguments, key: string) {
  return { command: 'npx', args, env: { [KEY_VARIABLE]: key } };
}

const toServers = (server: unknown) => ({ mcpServers: { [SERVER_NAME]: server } });

function describeClaudeCode(url: string, args: Arguments): ClientSetup {
  return {
    id: 'claude-code',
    name: 'Claude Code',
    remote: [shell('Run:', `claude mcp add --transport http ${SERVER_NAME} ${url}`)],
    local: [
      json(
        `Save as .mcp.json in your project, and set ${KEY_VARIABLE} before you start Claude Code:`,
        toServers(toLocalServer(args, `\${${KEY_VARIABLE}}`)),
      ),
    ],
    installLink: null,
  };
}

function describeClaudeDesktop(url: string, args: Arguments): ClientSetup {
  return {
    id: 'claude-desktop',
    name: 'Claude Desktop',
    remote: [
      shell('Open Settings, Connectors, Add custom connector, and paste this URL. It must be public:', url),
    ],
    local: [
      json(
        'Add to claude_desktop_config.json (Settings, Developer, Edit Config) with your key, and restart:',
        toServers(toLocalServer(args, '0x…')),
      ),
    ],
    installLink: null,
  };
}

function describeCursor(url: string, args: Arguments): ClientSetup {
  const config = Buffer.from(JSON.stringify({ url })).toString('base64');
  const query = new URLSearchParams({ name: SERVER_NAME, config }).toString();
  return {
    id: 'cursor',
    name: 'Cursor',
    remote: [json('Add to ~/.cursor/mcp.json:', toServers({ url }))],
    local: [
      json(
        `Add to ~/.cursor/mcp.json, and set ${KEY_VARIABLE} in your environment:`,
        toServers(toLocalServer(args, `\${env:${KEY_VARIABLE}}`)),
      ),
    ],
    installLink: `cursor://anysphere.cursor-deeplink/mcp/install?${query}`,
  };
}

function describeVsCode(url: string, args: Arguments): ClientSetup {
  const server = { type: 'http', url };
  const input = {
    type: 'promptString',
    id: 'touchstone-key',
    description: 'Private key of the wallet that pays',
    password: true,
  };
  const local = { type: 'stdio', ...toLocalServer(args, `\${input:${input.id}}`) };
  const install = encodeURIComponent(JSON.stringify({ name: SERVER_NAME, ...server }));
  return {
    id: 'vs-code',
    name: 'VS Code',
    remote: [json('Save as .vscode/mcp.json:', { servers: { [SERVER_NAME]: server } })],
    local: [
      json('Save as .vscode/mcp.json. VS Code asks for the key once and stores it encrypted:', {
        inputs: [input],
        servers: { [SERVER_NAME]: local },
      }),
    ],
    installLink: `vscode:mcp/install?${install}`,
  };
}

function describeCodex(url: string, args: Arguments): ClientSetup {
  const local = [
    `[mcp_servers.${SERVER_NAME}]`,
    `command = "npx"`,
    `args = ${JSON.stringify(args)}`,
    `env_vars = ["${KEY_VARIABLE}"]`,
    // The default of ten seconds is too short for the first download of the package.
    `startup_timeout_sec = 60`,
  ];
  return {
    id: 'codex',
    name: 'Codex',
    remote: [shell('Run:', `codex mcp add ${SERVER_NAME} --url ${url}`)],
    local: [
      {
        language: 'toml',
        instruction: `Add to ~/.codex/config.toml, and set ${KEY_VARIABLE} in your environment:`,
        code: local.join('\n'),
      },
    ],
    installLink: null,
  };
}

function describeGemini(url: string, args: Arguments): ClientSetup {
  return {
    id: 'gemini-cli',
    name: 'Gemini CLI',
    remote: [shell('Run:', `gemini mcp add --scope user --transport http ${SERVER_NAME} ${url}`)],
    local: [
      json(
        `Add to ~/.gemini/settings.json, and set ${KEY_VARIABLE} in your environment:`,
        toServers(toLocalServer(args, `$${KEY_VARIABLE}`)),
      ),
    ],
    installLink: null,
  };
}

function describeOthers(url: string, args: Arguments): ClientSetup {
  return {
    id: 'other-clients',
    name: 'Other clients',
    remote: [json('Most clients accept this form:', toServers({ type: 'http', url }))],
    local: [
      json(
        'Most clients accept this form. Replace 0x… with your key:',
        toServers(toLocalServer(args, '0x…')),
      ),
    ],
    installLink: null,
  };
}
