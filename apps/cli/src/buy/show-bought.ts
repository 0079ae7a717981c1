import type { Command } from 'commander';
import type { z } from 'zod';
import { createPaint } from '../paint.ts';
import { plainJsonText } from '../plain.ts';
import type { CommandTools } from '../run.ts';
import { parseStrict } from '../verify/parse-strict.ts';
import { wrap } from '../wrap.ts';
import type { BuyOptions } from './options.ts';
import { orderOf } from './order.ts';
import { purchase } from './purchase.ts';
import { receiptLine } from './receipt-line.ts';
import { readTerms } from './terms.ts';
import type { TextStyle } from './text-style.ts';
import type { Verified } from './verify-bought.ts';

const USUAL_WIDTH = 80;
const NARROWEST = 40;
const WIDEST = 100;

/** Something that the service sells, and how it is shown. */
export interface Ware<T> {
  readonly path: string;
  readonly input: { readonly resource: string };
  /** In words, such as `a trust report`. */
  readonly name: string;
  /** The same with its endpoint. */
  readonly what: string;
  readonly schema: z.ZodType<T>;
  readonly toText: (value: T, style: TextStyle) => string;
  /** Checks what came; null for what nothing can be checked of. */
  readonly verify: ((value: unknown, service: URL) => Promise<Verified>) | null;
}

/**
 * Buys a ware as the options of a command say, and prints it, or what came of it.
 *
 * @throws CliError when nothing was bought
 */
export async function showBought<T>(ware: Ware<T>, command: Command, tools: CommandTools): Promise<void> {
  const { host, out, complain } = tools;
  const { json, color } = command.optsWithGlobals<BuyOptions>();
  const terms = readTerms(command, host);
  const bought = await purchase(orderOf(terms.service, ware), terms, tools);
  const value = parsed(bought.text);
  const known = ware.schema.safeParse(value);
  const style = styleOf(host, color);
  const asText = json !== true && known.success;
  await out.write(asText ? ware.toText(known.data, style) : `${plainJsonText(bought.text).trimEnd()}\n`);
  if (out.failure === null) bought.received();
  const verified = ware.verify === null ? null : await ware.verify(value, terms.service);
  const last = [
    ...wrap(receiptLine(bought), '', style.width),
    ...(verified === null
      ? []
      : wrap(verified.line, '', style.width).map((line) => style.paint(verified.style, line))),
  ].join('\n');
  if (asText) await out.write(`\n${last}\n`);
  else
    complain(json === true ? [receiptLine(bought), ...(verified ? [verified.line] : [])].join('\n') : last);
  if (!known.success) complain(`The answer is not ${ware.name} as this version knows it.`);
  tools.end(known.success ? (verified?.code ?? 0) : 2);
}

/** A name that stands twice is refused, for readers take it differently; then there is nothing to check or to lay out. */
function parsed(text: string): unknown {
  try {
    return parseStrict(text);
  } catch {
    return null;
  }
}

function styleOf({ stdout }: CommandTools['host'], color: boolean | undefined): TextStyle {
  const columns = stdout.columns === undefined || stdout.columns === 0 ? USUAL_WIDTH : stdout.columns;
  return { paint: createPaint(stdout, color), width: Math.min(Math.max(columns, NARROWEST), WIDEST) };
}
