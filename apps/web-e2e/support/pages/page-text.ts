import { toEndpointPath } from '../endpoint-path.ts';
import { requestPage } from '../site-request.ts';
import { decode } from './page-head.ts';

/** Returns the text of a piece of HTML, with one space for each group of white space and tags. */
export function readText(html: string): string {
  const text = html.replaceAll(/<!--.*?-->|<wbr\/>/gs, '').replaceAll(/<[^>]*>/g, ' ');
  return decode(text).replaceAll(/\s+/g, ' ').trim();
}

/** Returns the text of a figure: the value after its label. The text is empty if the page has no such figure. */
export function readFigure(html: string, label: string): string {
  const figures = [...html.matchAll(/<dt\b[^>]*>(.*?)<\/dt><dd\b[^>]*>(.*?)<\/dd>/gs)];
  const [, , value = ''] = figures.find(([, term = '']) => readText(term).startsWith(label)) ?? [];
  return readText(value);
}

/** Returns the text of the verdict on an endpoint page: score, grade, recommendation and failure. */
export const readVerdictText = (html: string): string =>
  readText(/<section aria-labelledby="verdict".*?<\/section>/s.exec(html)?.[0] ?? '');

/** Requests the page of an endpoint. Throws if the status is not 200. */
export async function readEndpointPage(resource: string): Promise<string> {
  const response = await requestPage(toEndpointPath(resource));
  if (response.status !== 200) throw new Error(`${resource}: status ${response.status}`);
  return response.text();
}
