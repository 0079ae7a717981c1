import { ResourceNotFoundError, ResourceTemplate, type McpServer } from '@modelcontextprotocol/server';
import {
  DOCUMENT_PATHS,
  getJsonSchemaText,
  GRADE_THRESHOLDS,
  SCHEMA_NAMES,
  SCHEMAS,
} from '@touchstone/contract';
import {
  CAP_LIMITS,
  COMPLIANCE_VALUES,
  COMPONENTS,
  CONFIDENCE,
  FLAG_CATALOGUE,
  RECOMMENDATION_RULES,
  SCORING_VERSION,
  WINDOW_DAYS,
} from '@touchstone/trust';
import type { McpServerOptions } from './options.ts';

const METHODOLOGY_URI = 'touchstone://methodology';
const LLMS_URI = 'touchstone://llms.txt';
/** Start of the URI of a JSON Schema; the name of the schema follows. */
const SCHEMA_URI_PREFIX = 'touchstone://schemas/';

const SCHEMA_TYPE = 'application/schema+json';

export function registerResources(server: McpServer, { baseUrl, readText }: McpServerOptions): void {
  registerMethodology(server, baseUrl);
  registerSchemas(server, baseUrl);
  if (readText !== undefined) registerLlmsText(server, readText);
}

function registerMethodology(server: McpServer, baseUrl: string): void {
  const config = {
    title: 'Scoring methodology',
    description: 'Formula of the trust score: components, curves, caps, grades, recommendations and flags.',
    mimeType: 'text/markdown',
  };
  server.registerResource('methodology', METHODOLOGY_URI, config, (uri) => ({
    contents: [{ uri: uri.href, mimeType: config.mimeType, text: createMethodologyText(baseUrl) }],
  }));
}

function registerSchemas(server: McpServer, baseUrl: string): void {
  const template = new ResourceTemplate(`${SCHEMA_URI_PREFIX}{name}`, {
    list: () => ({
      resources: SCHEMA_NAMES.map((name) => ({
        uri: `${SCHEMA_URI_PREFIX}${name}`,
        name,
        title: SCHEMAS[name].title,
        description: SCHEMAS[name].description,
        mimeType: SCHEMA_TYPE,
      })),
    }),
    complete: { name: (value) => SCHEMA_NAMES.filter((name) => name.startsWith(value)) },
  });
  const config = {
    title: 'JSON Schemas',
    description: 'JSON Schema (draft 2020-12) of a request or response body, with an example.',
    mimeType: SCHEMA_TYPE,
  };
  server.registerResource('schemas', template, config, (uri, { name }) => {
    const known = SCHEMA_NAMES.find((candidate) => candidate === name);
    if (known === undefined) throw new ResourceNotFoundError(uri.href);
    const text = getJsonSchemaText(known, baseUrl);
    return { contents: [{ uri: uri.href, mimeType: SCHEMA_TYPE, text }] };
  });
}

function registerLlmsText(server: McpServer, readText: NonNullable<McpServerOptions['readText']>): void {
  const config = {
    title: 'llms.txt',
    description: 'Description of the HTTP API: operations, prices, payment and errors.',
    mimeType: 'text/markdown',
  };
  server.registerResource('llms.txt', LLMS_URI, config, async (uri) => ({
    contents: [{ uri: uri.href, mimeType: config.mimeType, text: await readText(DOCUMENT_PATHS.llms) }],
  }));
}

type ComponentRow = (typeof COMPONENTS)[number];
type FlagRow = (typeof FLAG_CATALOGUE)[number];

/**
 * Creates the methodology of the score as Markdown, generated from the tables that the score formula uses.
 *
 * @param baseUrl public origin of the service, for the link to the methodology page
 */
function createMethodologyText(baseUrl: string): string {
  return [
    `# Scoring methodology, version ${SCORING_VERSION}`,
    `Every score is computed from measurements of the last ${String(WINDOW_DAYS)} days with this formula, which is the same for every endpoint. No provider can pay for a better score. As a page: ${new URL(DOCUMENT_PATHS.methodology, baseUrl).href}`,
    'score = 100 × Σ weight · value / Σ weight over the measured components, then lowered to the smallest cap that applies. An unmeasured component is excluded from both sums: not measured is not zero.',
    '## Components',
    ...COMPONENTS.map(formatComponent),
    '## Caps',
    formatList(
      CAP_LIMITS.map(
        ({ rule, limit, explanation }) => `\`${rule}\`: at most ${String(limit)}. ${explanation}`,
      ),
    ),
    '## Grades',
    formatList(GRADE_THRESHOLDS.map(([grade, floor]) => `${grade}: from ${String(floor)}`)),
    'The grade ? means no grade: the endpoint is free or unverified, or no probe was scored.',
    '## Confidence',
    formatList([
      `Observation: ${CONFIDENCE.observation}`,
      `Economic: ${CONFIDENCE.economic}`,
      `Confidence: ${CONFIDENCE.overall}`,
    ]),
    '## Recommendations',
    'The first rule that applies decides.',
    RECOMMENDATION_RULES.map(
      ({ recommendation, rule }, at) => `${String(at + 1)}. **${recommendation}**: ${rule}`,
    ).join('\n'),
    '## Flags',
    'Flags do not change the score. One error flag is enough for the recommendation avoid.',
    formatList(FLAG_CATALOGUE.map(formatFlag)),
  ].join('\n\n');
}

function formatComponent({ component, weight, measures, formula, unmeasured, curves }: ComponentRow): string {
  return [
    `### ${component} (weight ${String(weight)} of 100)`,
    formatList([
      measures,
      formula,
      ...Object.entries(curves).map(([figure, curve]) => formatCurve(figure, curve)),
      ...(component === 'compliance' ? [formatComplianceValues()] : []),
      `If not measured: ${unmeasured}`,
    ]),
  ].join('\n\n');
}

function formatCurve(figure: string, { points, scale, fromZero }: ComponentRow['curves'][string]): string {
  const steps = points.map(([x, y]) => `${String(x)} → ${String(y)}`).join(', ');
  const start = fromZero === true ? ', and proportional below the first point' : '';
  return `Value by \`${figure}\`, ${scale === 'log' ? 'logarithmic' : 'linear'} between the points${start}: ${steps}`;
}

function formatComplianceValues(): string {
  const values = Object.entries(COMPLIANCE_VALUES).map(([verdict, value]) => `${verdict} → ${String(value)}`);
  return `Value of one challenge by its verdict: ${values.join(', ')}`;
}

function formatFlag({ slug, severity, trigger, message, preventsProceed, notForTemplates }: FlagRow): string {
  const note = preventsProceed === true ? ' Prevents the recommendation proceed.' : '';
  const exception = notForTemplates === true ? ' Not raised for URL templates.' : '';
  return `\`${slug}\` (${severity}): ${message} Raised when: ${trigger}${note}${exception}`;
}

function formatList(items: readonly string[]): string {
  return items.map((item) => `- ${item}`).join('\n');
}
