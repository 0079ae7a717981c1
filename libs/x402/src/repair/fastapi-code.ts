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

/** Writes the code of a FastAPI server that declares a paid route. */
export function formatFastApiRoute(route: PaidRoute): string {
  const networks = listNetworks(route);
  const hasTokens = route.options.some(({ price }) => typeof price !== 'string');
  return [
    'import os',
    'from fastapi import FastAPI',
    ...(route.isForBrowsers ? ['from fastapi.middleware.cors import CORSMiddleware'] : []),
    'from x402.http import FacilitatorConfig, HTTPFacilitatorClient, PaymentOption',
    'from x402.http.middleware.fastapi import PaymentMiddlewareASGI',
    'from x402.http.types import RouteConfig',
    ...(networks.some(isEvm) ? ['from x402.mechanisms.evm.exact import ExactEvmServerScheme'] : []),
    ...(networks.every(isEvm) ? [] : ['from x402.mechanisms.svm.exact import ExactSvmServerScheme']),
    ...(hasTokens ? ['from x402.schemas import AssetAmount'] : []),
    'from x402.server import x402ResourceServer',
    '',
    'app = FastAPI()',
    'facilitator = HTTPFacilitatorClient(FacilitatorConfig(url=os.environ["FACILITATOR_URL"]))',
    'server = x402ResourceServer(facilitator)',
    ...networks.map(
      (network) =>
        `server.register(${quote(network)}, ${isEvm(network) ? 'ExactEvmServerScheme' : 'ExactSvmServerScheme'}())`,
    ),
    '',
    'routes = {',
    `    ${formatPattern(route)}: RouteConfig(`,
    '        accepts=[',
    ...route.options.flatMap((option) => indent(formatPythonOption(option), '            ')),
    '        ],',
    `        resource=${quote(route.url)},`,
    ...(route.description === null ? [] : [`        description=${quote(route.description)},`]),
    ...(route.mimeType === null ? [] : [`        mime_type=${quote(route.mimeType)},`]),
    '    ),',
    '}',
    'app.add_middleware(PaymentMiddlewareASGI, routes=routes, server=server)',
    ...(route.isForBrowsers
      ? [
          `app.add_middleware(CORSMiddleware, allow_origins=["*"], expose_headers=${JSON.stringify(EXPOSED_HEADERS)})`,
        ]
      : []),
  ].join('\n');
}

function formatPythonOption({ network, price, payTo, maxTimeoutSeconds, remarks }: RepairedOption): string[] {
  return [
    ...remarks.map((remark) => `# ${remark}`),
    'PaymentOption(',
    '    scheme="exact",',
    `    network=${quote(network)},`,
    `    price=${typeof price === 'string' ? quote(price) : formatPythonPrice(price)},`,
    `    pay_to=${quote(payTo)},`,
    ...(maxTimeoutSeconds === null ? [] : [`    max_timeout_seconds=${maxTimeoutSeconds},`]),
    '),',
  ];
}

function formatPythonPrice({ asset, amount, domain }: TokenPrice): string {
  const extra =
    domain === null ? '' : `, extra={"name": ${quote(domain.name)}, "version": ${quote(domain.version)}}`;
  return `AssetAmount(asset=${quote(asset)}, amount=${quote(amount)}${extra})`;
}
