import { Command, Option } from 'commander';
import { trustReportSchema, trustRequestSchema, type TrustReport } from '@touchstone/contract';
import type { CommandTools } from '../run.ts';
import { addBuyOptions, BUY_HELP, formatSimilarLine, validateInput } from './buy-options.ts';
import { formatTrustReport } from './output/trust-text.ts';
import { verifyBoughtReport } from './verify-bought-report.ts';

const HELP = `${BUY_HELP}
Exit codes
  0  bought; all figures agree, and the service signed the report
  1  bought, but a figure differs, the signature is not by the service, or the
     report is about another endpoint
  2  not bought, or bought but not verified; the message has the reason

Examples
  touchstone buy trust --sandbox https://skyfall.sandbox.test/v2/current
  touchstone buy trust --service https://touchstone.example --max-usd 0.01 https://api.example.com/v1/weather
  touchstone buy trust --yes --json https://api.example.com/v1/weather | jq .recommendation`;

/** Creates `touchstone buy`, which buys results of a Touchstone service. */
export function createBuyCommand(tools: CommandTools): Command {
  return new Command('buy')
    .description('Buys a trust report with a wallet through x402.')
    .addCommand(createTrustCommand(tools));
}

function createTrustCommand(tools: CommandTools): Command {
  const command = new Command('trust')
    .description('Buys the trust report of an endpoint, verifies it and prints it.')
    .argument('<url>', 'full URL of the endpoint, as directories list it')
    .addOption(
      new Option('--detail <level>', 'full also lists the passed compliance checks').choices(['full']),
    );
  return addBuyOptions(command)
    .addHelpText('after', HELP)
    .action(async (resource: string, { detail }: { readonly detail?: string }, self: Command) => {
      const { stdin } = tools.host;
      const product = {
        path: '/v1/x402-trust',
        query: detail === undefined ? {} : { detail },
        input: validateInput(trustRequestSchema, { resource }),
        name: 'a trust report',
        description: `a trust report on ${resource}`,
        schema: trustReportSchema,
        toText: formatTrustReport,
        verify: (value: unknown, service: URL) => verifyBoughtReport(value, { service, resource, stdin }),
        toHint: ({ recommendation }: TrustReport) =>
          recommendation === 'avoid' || recommendation === 'caution'
            ? `Find alternatives: ${formatSimilarLine(resource, self)}`
            : null,
      };
      // This module imports the wallet libraries, which load slowly, so it is loaded only for a purchase.
      const { buyAndPrint } = await import('./buy-and-print.ts');
      await buyAndPrint(product, self, tools);
    });
}
