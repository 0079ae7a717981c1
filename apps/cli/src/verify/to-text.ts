import type { Fault, Recomputed } from '@touchstone/trust';
import type { Paint } from '../paint.ts';
import { plain } from '../plain.ts';
import { wrap } from '../wrap.ts';
import { counted } from '../lint/to-text.ts';
import type { Checked, SignatureResult } from './check-report.ts';

/** How the findings are to look. */
export interface TextStyle {
  readonly paint: Paint;
  /** Columns. */
  readonly width: number;
}

/** One thing that was found, for people. */
export interface Finding {
  readonly style: 'green' | 'red' | 'yellow';
  readonly title: string;
  readonly sentence: string;
  readonly more: readonly string[];
}

const INDENT = '    ';
const VALUE_LENGTH = 200;
const MOST_PATHS = 8;

/** The findings on one report for people, with the first figure that differs. */
export function toText({ place, figures, signature }: Checked, style: TextStyle): string {
  const { paint, width } = style;
  const report = figures.outcome === 'no-report' ? null : figures.report;
  const heading = report === null ? 'No trust report' : plain(report.resource);
  const said =
    report === null
      ? []
      : [
          `It says: score ${String(report.score)}, grade ${report.grade}, recommendation ${report.recommendation}, ` +
            `formula ${report.scoringVersion}, made ${report.generatedAt}.`,
        ];
  const lines = [
    paint('bold', heading) + (place === '' ? '' : `  (${plain(place)})`),
    ...said.flatMap((line) => wrap(line, '', width)),
    ...findingsOf({ figures, signature }).flatMap((finding) => found(finding, style)),
  ];
  return `${lines.join('\n')}\n`;
}

/** What was found of the figures, and of the signature. */
export function findingsOf({ figures, signature }: Pick<Checked, 'figures' | 'signature'>): Finding[] {
  return [figuresFinding(figures), signatureFinding(signature)];
}

function found({ style, title, sentence, more }: Finding, { paint, width }: TextStyle): string[] {
  return [
    paint(['bold', style], title),
    ...wrap(sentence, INDENT, width),
    ...more.flatMap((line) => wrap(line, INDENT, width)),
  ];
}

function figuresFinding(figures: Recomputed): Finding {
  if (figures.outcome === 'agrees') {
    const sentence = 'Every figure follows, to the last digit, from what the report carries.';
    return { style: 'green', title: 'Figures agree', sentence, more: [] };
  }
  if (figures.outcome === 'other-version') {
    const sentence = `It was made by version ${figures.report.scoringVersion} of the formula, and this command knows ${figures.known}. Its figures were not judged.`;
    return { style: 'yellow', title: 'Figures not judged', sentence, more: [] };
  }
  if (figures.outcome === 'no-report') return faultsFinding(figures.faults);
  const { first, differences } = figures;
  const others = differences.slice(1, 1 + MOST_PATHS).map(({ path }) => plain(path));
  const rest = differences.length - 1 - others.length;
  return {
    style: 'red',
    title: 'Figures differ',
    sentence: `The first figure that differs is ${plain(first.path)}`,
    more: [
      `said      ${shown(first.said)}`,
      `computed  ${shown(first.computed)}`,
      ...(others.length === 0
        ? []
        : [`So do ${others.join(', ')}${rest > 0 ? `, and ${counted(rest, 'other')}` : ''}`]),
    ],
  };
}

function faultsFinding(faults: readonly Fault[]): Finding {
  return {
    style: 'yellow',
    title: 'Figures not judged',
    sentence: 'It is not what the schema of trust reports 1.0.0 asks for:',
    more: faults.slice(0, MOST_PATHS).map(({ path, message }) => plain(`${path}: ${message}`, VALUE_LENGTH)),
  };
}

function shown(value: unknown): string {
  return value === undefined ? '(not there)' : plain(JSON.stringify(value), VALUE_LENGTH);
}

function signatureFinding(signature: SignatureResult): Finding {
  const [style, title, sentence] = SIGNATURE_WORDS[signature.outcome];
  return { style, title, sentence: plain(sentenceOf(signature, sentence), 2_000), more: [] };
}

/** What each outcome means to a reader; `#` is where the keys came from. */
const SIGNATURE_WORDS = {
  valid: ['green', 'Signature valid', 'Signed by a key of #, and unchanged since.'],
  forged: ['red', 'Signature forged', 'It names a key of #, which did not sign what it says.'],
  'unknown-key': ['red', 'Signature of a stranger', 'It is signed by none of the keys of #.'],
  'key-out-of-use': [
    'red',
    'Signature out of time',
    'It says it was made when that key of # was not in use.',
  ],
  unsigned: ['yellow', 'Not signed', 'Nothing shows who made it: figures that agree can be made up, too.'],
  'no-keys': ['yellow', 'Signature not judged', 'There are no keys to check it with: #'],
  'no-report': ['yellow', 'Signature not judged', 'It has none that can be read.'],
  'not-asked': [
    'yellow',
    'Signature left aside',
    'Nothing was looked at but the figures, which anybody can make up.',
  ],
} as const satisfies Record<SignatureResult['outcome'], readonly [Finding['style'], string, string]>;

function sentenceOf(signature: SignatureResult, sentence: string): string {
  const named = signature.outcome === 'no-keys' ? signature.reason : keysOf(signature);
  return sentence.replace('#', () => named);
}

function keysOf(signature: SignatureResult): string {
  return 'keysFrom' in signature ? (signature.keysFrom ?? 'nobody') : 'nobody';
}
