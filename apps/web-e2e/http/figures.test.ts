import { expect, it } from 'vitest';
import { requestPage } from '../support/site-request.ts';

/** Pages with figures that are links. */
const PAGES = ['/', '/trust/stats', '/trust/leaderboard', '/explore'];

/** Number of rows that a list states: of the page with filters, or of the page of a category. */
const STATED = [
  /<p class="text-lg font-semibold">(?:\d+ of )?([\d,]+) endpoints?\b/,
  /<a [^>]*>([\d,]+) listed endpoint/,
];

const toNumber = (text: string | undefined): number => Number(text?.replaceAll(',', ''));

/** Reads the figures of a page that are links to a list, as numbers by path. */
async function readFigures(path: string): Promise<ReadonlyMap<string, number>> {
  const html = await (await requestPage(path)).text();
  const links = html.matchAll(/<a href="(\/(?:explore|category)[^"]*)"[^>]*>(.*?)<\/a>/gs);
  return new Map(
    [...links].flatMap(([, href = '', content = '']) => {
      const figure = /^\D*?([\d,]+)(?! %)\b/.exec(content.replaceAll(/<[^>]*>/g, ' '))?.[1];
      return figure === undefined ? [] : [[href.replaceAll('&amp;', '&'), toNumber(figure)] as const];
    }),
  );
}

async function readStated(path: string): Promise<number> {
  const html = await (await requestPage(path)).text();
  return toNumber(STATED.map((pattern) => pattern.exec(html)?.[1]).find((text) => text !== undefined) ?? '0');
}

/** Returns the pages of categories that a page links. */
async function listCategories(): Promise<readonly string[]> {
  return [...(await readFigures('/')).keys()].filter((path) => path.startsWith('/category/'));
}

it('each figure that is a link is the number of rows of its list', async () => {
  const categories = await listCategories();
  expect(categories.length).toBeGreaterThan(0);
  /** Numbers of rows by path. Lists are rate-limited, so each list is read once for the same figure. */
  const followed = new Map<string, number>();
  for (const page of [...PAGES, ...categories]) {
    for (const [path, before] of await readFigures(page)) {
      if (followed.get(path) === before) continue;
      const stated = await readStated(path);
      // A probe can change a figure between two requests. The page then has the new figure.
      const figure = stated === before ? before : (await readFigures(page)).get(path);
      expect(figure, `${path} of ${page}`).toBe(stated);
      followed.set(path, stated);
    }
  }
  for (const filter of [
    'grade=A',
    'recommendation=proceed',
    'property=reachable',
    'property=compliant',
    'status=delisted',
  ])
    expect([...followed.keys()]).toContain(`/explore?${filter}`);
});
