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

/** Writes the code of a Gin server that declares a paid route. */
export function formatGinRoute(route: PaidRoute): string {
  const networks = listNetworks(route);
  const hasTokens = route.options.some(({ price }) => typeof price !== 'string');
  return [
    'import (',
    '\t"os"',
    ...(route.isForBrowsers ? ['\t"github.com/gin-contrib/cors"'] : []),
    '\t"github.com/gin-gonic/gin"',
    ...(hasTokens ? ['\tx402 "github.com/x402-foundation/x402/go/v2"'] : []),
    '\tx402http "github.com/x402-foundation/x402/go/v2/http"',
    '\tginmw "github.com/x402-foundation/x402/go/v2/http/gin"',
    ...(networks.some(isEvm)
      ? ['\tevm "github.com/x402-foundation/x402/go/v2/mechanisms/evm/exact/server"']
      : []),
    ...(networks.every(isEvm)
      ? []
      : ['\tsvm "github.com/x402-foundation/x402/go/v2/mechanisms/svm/exact/server"']),
    ')',
    '',
    'r := gin.Default()',
    ...(route.isForBrowsers
      ? [
          `r.Use(cors.New(cors.Config{AllowAllOrigins: true, ExposeHeaders: ${formatGoList(EXPOSED_HEADERS)}}))`,
        ]
      : []),
    'facilitator := x402http.NewHTTPFacilitatorClient(&x402http.FacilitatorConfig{URL: os.Getenv("FACILITATOR_URL")})',
    'r.Use(ginmw.X402Payment(ginmw.Config{',
    '\tRoutes: x402http.RoutesConfig{',
    `\t\t${formatPattern(route)}: {`,
    '\t\t\tAccepts: x402http.PaymentOptions{',
    ...route.options.flatMap((option) => indent(formatGoOption(option), '\t\t\t\t')),
    '\t\t\t},',
    `\t\t\tResource: ${quote(route.url)},`,
    ...(route.description === null ? [] : [`\t\t\tDescription: ${quote(route.description)},`]),
    ...(route.mimeType === null ? [] : [`\t\t\tMimeType: ${quote(route.mimeType)},`]),
    '\t\t},',
    '\t},',
    '\tFacilitator: facilitator,',
    '\tSchemes: []ginmw.SchemeConfig{',
    ...networks.map(
      (network) =>
        `\t\t{Network: ${quote(network)}, Server: ${isEvm(network) ? 'evm.NewExactEvmScheme' : 'svm.NewExactSvmScheme'}()},`,
    ),
    '\t},',
    '}))',
  ].join('\n');
}

function formatGoOption({ network, price, payTo, maxTimeoutSeconds, remarks }: RepairedOption): string[] {
  return [
    ...remarks.map((remark) => `// ${remark}`),
    '{',
    '\tScheme: "exact",',
    `\tNetwork: ${quote(network)},`,
    `\tPrice: ${typeof price === 'string' ? quote(price) : formatGoPrice(price)},`,
    `\tPayTo: ${quote(payTo)},`,
    ...(maxTimeoutSeconds === null ? [] : [`\tMaxTimeoutSeconds: ${maxTimeoutSeconds},`]),
    '},',
  ];
}

function formatGoPrice({ asset, amount, domain }: TokenPrice): string {
  const extra =
    domain === null
      ? ''
      : `, Extra: map[string]interface{}{"name": ${quote(domain.name)}, "version": ${quote(domain.version)}}`;
  return `x402.AssetAmount{Asset: ${quote(asset)}, Amount: ${quote(amount)}${extra}}`;
}

function formatGoList(values: readonly string[]): string {
  return `[]string{${values.map(quote).join(', ')}}`;
}
