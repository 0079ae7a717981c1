import { DOCUMENT_PATHS } from '@touchstone/contract';
import {
  CAP_LIMITS,
  COMPLIANCE_VALUES,
  COMPONENTS,
  CONFIDENCE,
  FLAG_CATALOGUE,
  GRADE_THRESHOLDS,
  RECOMMENDATION_RULES,
  SCORING_VERSION,
  WINDOW_DAYS,
} from '@touchstone/trust';

type ComponentRow = (typeof COMPONENTS)[number];
type FlagRow = (typeof FLAG_CATALOGUE)[number];

/**
 * Creates the methodology of the score as Markdown, generated from the tables that the score formula uses.
 *
 * @param baseUrl public origin of the service, for the link to the methodology page
 */
export function createMethodologyText(baseUrl: string): string {
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
    formatList(GRADE_THRESHOLDS.map(([grade, floor]) => `${grade}: score of ${String(floor)} or more`)),
    'The grade ? means no grade: the endpoint is free, unverified or was not scored.',
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

function formatFlag({ slug, severity, trigger, message, preventsProceed }: FlagRow): string {
  const note = preventsProceed === true ? ' Prevents the recommendation proceed.' : '';
  return `\`${slug}\` (${severity}): ${message} Raised when: ${trigger}${note}`;
}

function formatList(items: readonly string[]): string {
  return items.map((item) => `- ${item}`).join('\n');
}
