import { getHeaderValues } from '@touchstone/common';
import { formatFastApiRoute } from './fastapi-code.ts';
import { formatGinRoute } from './gin-code.ts';
import {
  EXPOSED_HEADERS,
  formatPattern,
  indent,
  isEvm,
  listNetworks,
  quote,
  type PaidRoute,
} from './paid-route.ts';
import type { RepairedOption, TokenPrice } from './repair-terms.ts';

/** Servers for which code is written, by the name that people choose. */
export const STACKS = {
  express: 'Express',
  hono: 'Hono',
  next: 'Next.js',
  fastapi: 'FastAPI',
  go: 'Go (Gin)',
} as const;

export type Stack = keyof typeof STACKS;

type HeaderList = readonly (readonly [name: string, value: string])[];

/** Values of `X-Powered-By` and `Server` that name a stack. Hono and Go send neither. */
const SIGNS: readonly (readonly [header: string, value: RegExp, stack: Stack])[] = [
  ['x-powered-by', /^next\.js/i, 'next'],
  ['x-powered-by', /^express$/i, 'express'],
  ['server', /^(uvicorn|hypercorn)/i, 'fastapi'],
];

/** Returns the stack that the headers of a response name; null when they name none. */
export function recognizeStack(headers: HeaderList): Stack | null {
  const sign = SIGNS.find(([name, pattern]) =>
    getHeaderValues(headers, name).some((value) => pattern.test(value.trim())),
  );
  return sign?.[2] ?? null;
}

/**
 * Writes the code that declares a paid route in a stack, with the server libraries of the x402 project (version 2.27 of
 * the packages for TypeScript). The code is complete except for the handler of the route.
 */
export function formatServerCode(stack: Stack, route: PaidRoute): string {
  const comment = stack === 'fastapi' ? '#' : '//';
  return [...route.remarks.map((remark) => `${comment} ${remark}`), WRITERS[stack](route)].join('\n');
}

const WRITERS: Readonly<Record<Stack, (route: PaidRoute) => string>> = {
  express: (route) =>
    [
      `import express from 'express';`,
      ...(route.isForBrowsers ? [`import cors from 'cors';`] : []),
      `import { paymentMiddleware, x402ResourceServer } from '@x402/express';`,
      ...formatScriptServer(route),
      'const app = express();',
      ...(route.isForBrowsers ? [`app.use(cors({ exposedHeaders: ${EXPOSED_LIST} }));`] : []),
      ...formatScriptMiddleware(route),
    ].join('\n'),
  hono: (route) =>
    [
      `import { Hono } from 'hono';`,
      ...(route.isForBrowsers ? [`import { cors } from 'hono/cors';`] : []),
      `import { paymentMiddleware, x402ResourceServer } from '@x402/hono';`,
      ...formatScriptServer(route),
      'const app = new Hono();',
      ...(route.isForBrowsers ? [`app.use(cors({ origin: '*', exposeHeaders: ${EXPOSED_LIST} }));`] : []),
      ...formatScriptMiddleware(route),
    ].join('\n'),
  next: formatNextRoute,
  fastapi: formatFastApiRoute,
  go: formatGinRoute,
};

const EXPOSED_LIST = `[${EXPOSED_HEADERS.map((name) => `'${name}'`).join(', ')}]`;

function formatScriptServer(route: PaidRoute): string[] {
  const networks = listNetworks(route);
  const schemes = [
    ...(networks.some(isEvm) ? [`import { ExactEvmScheme } from '@x402/evm/exact/server';`] : []),
    ...(networks.every(isEvm) ? [] : [`import { ExactSvmScheme } from '@x402/svm/exact/server';`]),
  ];
  const registrations = networks.map(
    (network) =>
      `  .register(${quote(network)}, new ${isEvm(network) ? 'ExactEvmScheme' : 'ExactSvmScheme'}())`,
  );
  return [
    `import { HTTPFacilitatorClient } from '@x402/core/server';`,
    ...schemes,
    '',
    'const facilitator = new HTTPFacilitatorClient({ url: process.env.FACILITATOR_URL });',
    'const server = new x402ResourceServer(facilitator)',
    ...registrations.slice(0, -1),
    `${registrations.at(-1) ?? ''};`,
    '',
  ];
}

function formatScriptRoute({ options, url, description, mimeType }: PaidRoute): string[] {
  return [
    'accepts: [',
    ...options.flatMap((option) => indent(formatScriptOption(option), '  ')),
    '],',
    `resource: ${quote(url)},`,
    ...(description === null ? [] : [`description: ${quote(description)},`]),
    ...(mimeType === null ? [] : [`mimeType: ${quote(mimeType)},`]),
  ];
}

function formatScriptOption({ network, price, payTo, maxTimeoutSeconds, remarks }: RepairedOption): string[] {
  return [
    ...remarks.map((remark) => `// ${remark}`),
    '{',
    `  scheme: 'exact',`,
    `  network: ${quote(network)},`,
    `  price: ${typeof price === 'string' ? quote(price) : formatScriptPrice(price)},`,
    `  payTo: ${quote(payTo)},`,
    ...(maxTimeoutSeconds === null ? [] : [`  maxTimeoutSeconds: ${maxTimeoutSeconds},`]),
    '},',
  ];
}

function formatScriptPrice({ asset, amount, domain }: TokenPrice): string {
  const extra =
    domain === null ? '' : `, extra: { name: ${quote(domain.name)}, version: ${quote(domain.version)} }`;
  return `{ asset: ${quote(asset)}, amount: ${quote(amount)}${extra} }`;
}

function formatScriptMiddleware(route: PaidRoute): string[] {
  return [
    'app.use(',
    '  paymentMiddleware(',
    '    {',
    `      ${formatPattern(route)}: {`,
    ...indent(formatScriptRoute(route), '        '),
    '      },',
    '    },',
    '    server,',
    '  ),',
    ');',
  ];
}

function formatNextRoute(route: PaidRoute): string {
  const { pathname } = new URL(route.url);
  return [
    `// app${pathname.replace(/\/$/, '')}/route.ts`,
    `import { withX402, x402ResourceServer } from '@x402/next';`,
    ...formatScriptServer(route),
    `export const ${route.method} = withX402(`,
    '  handler,',
    '  {',
    ...indent(formatScriptRoute(route), '    '),
    '  },',
    '  server,',
    ');',
    ...(route.isForBrowsers
      ? [
          '',
          '// next.config.ts: headers of this route, for pages of other origins',
          `// { key: 'Access-Control-Expose-Headers', value: '${EXPOSED_HEADERS.join(', ')}' }`,
        ]
      : []),
  ].join('\n');
}
