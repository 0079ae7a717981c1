import { canonicalize } from '@touchstone/catalog';
import { OPERATIONS, type Operation, replaceResource, toExampleTarget } from '@touchstone/contract';

/** Code example: a complete program that calls one operation. */
export interface CodeExample {
  readonly language: 'curl' | 'TypeScript' | 'Python';
  readonly code: string;
}

export interface ExampleOptions {
  /** Public origin of the service, without a path. */
  readonly baseUrl: string;
  /** CAIP-2 id of the payment network. */
  readonly network: string;
  /** URL of the endpoint in the examples; defaults to the example endpoint of the package `contract`. */
  readonly resource?: string;
}

interface Call {
  readonly operation: Operation;
  readonly url: string;
  readonly body: Readonly<Record<string, unknown>> | null;
  readonly network: string;
}

/**
 * Creates examples of one operation in curl, TypeScript and Python. For a paid operation, the TypeScript and Python
 * examples pay, and the curl example shows the payment challenge. Examples that need the secret of a watch read the
 * secret from the environment variable `WATCH_SECRET`.
 */
export function createCodeExamples(operation: Operation, options: ExampleOptions): readonly CodeExample[] {
  const call = createCall(toSampleOperation(operation, options.resource), options);
  return [
    { language: 'curl', code: formatCurl(call) },
    {
      language: 'TypeScript',
      code: operation.priceUsd === null ? formatFreeTypeScript(call) : formatPaidTypeScript(call),
    },
    {
      language: 'Python',
      code: operation.priceUsd === null ? formatFreePython(call) : formatPaidPython(call),
    },
  ];
}

/** Creates examples of every operation, in the order of `OPERATIONS`. All examples use the same endpoint. */
export function createAllCodeExamples(options: ExampleOptions) {
  return OPERATIONS.map((operation) => ({
    operation: toSampleOperation(operation, options.resource),
    examples: createCodeExamples(operation, options),
  }));
}

function createCall(operation: Operation, { baseUrl, network }: ExampleOptions): Call {
  const body = operation.requestBody?.example ?? null;
  return { operation, url: `${baseUrl}${toExampleTarget(operation)}`, body, network };
}

/** Quotes text as one word of a POSIX shell. */
export function quoteForShell(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

function formatCurl({ operation, url, body }: Call): string {
  const lines = [
    `curl -i ${operation.method === 'GET' ? '' : `-X ${operation.method} `}${quoteForShell(url)}`,
    ...(operation.hasHtmlPage ? [`  -H 'Accept: application/json'`] : []),
    // The header is in double quotes, so that the shell replaces the variable.
    ...(operation.security === 'bearer' ? [`  -H "Authorization: Bearer $WATCH_SECRET"`] : []),
    ...(body === null
      ? []
      : [`  -H 'Content-Type: application/json'`, `  -d ${quoteForShell(JSON.stringify(body))}`]),
  ];
  return lines.join(' \\\n');
}

const IN_SCRIPT: Readonly<Record<string, string>> = {
  '\u2028': '\\u2028',
  '\u2029': '\\u2029',
};

/**
 * Formats a string literal that is valid in JavaScript and Python. Line separators and control characters are escaped.
 */
const toStringLiteral = (text: string): string =>
  JSON.stringify(text).replace(/[\u2028\u2029]/g, (character) => IN_SCRIPT[character] ?? '');

function formatFetchOptions({ operation, body }: Call): readonly string[] {
  const members = [
    ...(body === null ? [] : [`"Content-Type": "application/json"`]),
    ...(operation.hasHtmlPage ? [`Accept: "application/json"`] : []),
    ...(operation.security === 'bearer' ? ['Authorization: `Bearer ${process.env.WATCH_SECRET}`'] : []),
  ];
  const headers = members.length === 0 ? [] : [`  headers: { ${members.join(', ')} },`];
  const sent = body === null ? [] : [`  body: JSON.stringify(${toLiteral(body, 'typescript')}),`];
  return [`  method: ${toStringLiteral(operation.method)},`, ...headers, ...sent];
}

function formatPaidTypeScript(call: Call): string {
  return [
    `// npm install @x402/fetch @x402/evm viem`,
    `import { ExactEvmScheme } from "@x402/evm";`,
    `import { wrapFetchWithPaymentFromConfig } from "@x402/fetch";`,
    `import { privateKeyToAccount } from "viem/accounts";`,
    ``,
    `// Private key of a wallet with USDC on ${call.network}: 0x and 64 hexadecimal digits.`,
    `const account = privateKeyToAccount(process.env.PRIVATE_KEY as \`0x\${string}\`);`,
    `const fetchAndPay = wrapFetchWithPaymentFromConfig(fetch, {`,
    `  schemes: [{ network: ${toStringLiteral(call.network)}, client: new ExactEvmScheme(account) }],`,
    `});`,
    ``,
    `const response = await fetchAndPay(${toStringLiteral(call.url)}, {`,
    ...formatFetchOptions(call),
    `});`,
    `if (!response.ok) throw new Error(await response.text());`,
    `console.log(JSON.stringify(await response.json(), null, 2));`,
  ].join('\n');
}

function formatFreeTypeScript(call: Call): string {
  return [
    `const response = await fetch(${toStringLiteral(call.url)}, {`,
    ...formatFetchOptions(call),
    `});`,
    `if (!response.ok) throw new Error(await response.text());`,
    `console.log(JSON.stringify(await response.json(), null, 2));`,
  ].join('\n');
}

function formatPythonRequest(client: string, { operation, url, body }: Call): string {
  const members = [
    ...(operation.hasHtmlPage ? [`"Accept": "application/json"`] : []),
    ...(operation.security === 'bearer' ? [`"Authorization": f"Bearer {os.environ['WATCH_SECRET']}"`] : []),
  ];
  const parts = [
    toStringLiteral(url),
    ...(members.length === 0 ? [] : [`headers={${members.join(', ')}}`]),
    ...(body === null ? [] : [`json=${toLiteral(body, 'python')}`]),
    `timeout=60`,
  ];
  return `${client}.${operation.method.toLowerCase()}(${parts.join(', ')})`;
}

function formatPaidPython(call: Call): string {
  return [
    `# pip install "x402[evm,requests]"`,
    `import json`,
    `import os`,
    ``,
    `from eth_account import Account`,
    `from x402 import x402ClientSync`,
    `from x402.http.clients import x402_requests`,
    `from x402.mechanisms.evm import EthAccountSigner`,
    `from x402.mechanisms.evm.exact.register import register_exact_evm_client`,
    ``,
    `# Private key of a wallet with USDC on ${call.network}: 0x and 64 hexadecimal digits.`,
    `account = Account.from_key(os.environ["PRIVATE_KEY"])`,
    `client = x402ClientSync()`,
    `register_exact_evm_client(client, EthAccountSigner(account))`,
    ``,
    `with x402_requests(client) as session:`,
    `    response = ${formatPythonRequest('session', call)}`,
    `    response.raise_for_status()`,
    `    print(json.dumps(response.json(), indent=2))`,
  ].join('\n');
}

function formatFreePython(call: Call): string {
  return [
    `# pip install requests`,
    `import json`,
    ...(call.operation.security === 'bearer' ? [`import os`] : []),
    ``,
    `import requests`,
    ``,
    `response = ${formatPythonRequest('requests', call)}`,
    `response.raise_for_status()`,
    `print(json.dumps(response.json(), indent=2))`,
  ].join('\n');
}

const CONSTANTS = {
  typescript: { true: 'true', false: 'false', null: 'null' },
  python: { true: 'True', false: 'False', null: 'None' },
} as const;

/** Formats a JSON value as a literal of TypeScript or Python. */
function toLiteral(value: unknown, language: keyof typeof CONSTANTS): string {
  const constants = CONSTANTS[language];
  if (value === null) return constants.null;
  if (typeof value === 'boolean') return constants[`${value}`];
  if (typeof value === 'string') return toStringLiteral(value);
  if (Array.isArray(value)) return `[${value.map((item) => toLiteral(item, language)).join(', ')}]`;
  if (typeof value !== 'object') return JSON.stringify(value);
  const members = Object.entries(value).map(
    ([name, member]) => `${toStringLiteral(name)}: ${toLiteral(member, language)}`,
  );
  return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`;
}

/**
 * Returns an operation whose parameters and request body have the URL and the slug of another endpoint as examples.
 *
 * @param resource URL of an endpoint; undefined keeps the examples of the package `contract`
 */
export function toSampleOperation(operation: Operation, resource: string | undefined): Operation {
  if (resource === undefined) return operation;
  const canonical = canonicalize(resource);
  const examples = new Map([
    ['resource', resource],
    ...(canonical.ok ? [['slug', canonical.slug] as const] : []),
  ]);
  const parameters = operation.parameters.map((parameter) => ({
    ...parameter,
    example: examples.get(parameter.name) ?? parameter.example,
  }));
  const { requestBody } = operation;
  return {
    ...operation,
    parameters,
    requestBody:
      requestBody === null
        ? null
        : { ...requestBody, example: replaceResource(requestBody.example, resource) },
  };
}
