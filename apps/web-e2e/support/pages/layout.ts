import AxeBuilder from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';

/** Rules of axe with a result that depends on the color theme. */
const THEME_RULES = ['color-contrast', 'link-in-text-block'];
/** Number of Tab stops that the focus order test checks. */
const MAX_TABS = 40;

/** Opens all `details` elements of a page, and fails if the page is then wider than the screen. */
export async function expectFitWhenOpen(page: Page): Promise<void> {
  // A browser opens only one of several sections with the same `name`, so the name is removed. All sections can then be
  // open, and the page has its maximum size.
  await page.evaluate(() => {
    for (const details of document.querySelectorAll('details')) {
      details.removeAttribute('name');
      details.open = true;
    }
  });
  await expectFit(page);
}

/** Maximum sum of the layout shifts while a page loads. Google rates sums up to 0.1 as good. */
const MAX_LAYOUT_SHIFT = 0.01;

/**
 * Makes the scripts of the next page arrive after its first paint, as on a slow network. If they arrived earlier, a test
 * could not measure how they move the content.
 */
export async function delayScripts(page: Page): Promise<void> {
  await page.route(/\.js$/, async (route) => {
    await page.waitForFunction(() => performance.getEntriesByType('paint').length > 0);
    await route.fallback();
  });
}

/** Fails if content moved while the page loaded. Movements within 500 ms after an input are expected. */
export async function expectNoLayoutShift(page: Page): Promise<void> {
  const shifts = await page.evaluate(async () => {
    // The type of layout shifts is not part of TypeScript's library.
    type Shift = PerformanceEntry & {
      readonly value: number;
      readonly hadRecentInput: boolean;
      readonly sources: readonly { readonly node: Node | null }[];
    };
    await document.fonts.ready;
    const entries: Shift[] = [];
    const add = (found: PerformanceEntryList) => entries.push(...(found as Shift[]));
    const observer = new PerformanceObserver((list) => add(list.getEntries()));
    observer.observe({ type: 'layout-shift', buffered: true });
    // Shifts of the last rendered frame are reported in the next frame.
    for (let frame = 0; frame < 2; frame += 1)
      await new Promise((rendered) => requestAnimationFrame(() => rendered(null)));
    add(observer.takeRecords());
    return entries
      .filter(({ hadRecentInput }) => !hadRecentInput)
      .map(({ value, sources }) => ({
        value,
        moved: sources.map(({ node }) =>
          node instanceof Element ? node.outerHTML : String(node?.textContent),
        ),
      }));
  });
  const total = shifts.reduce((sum, { value }) => sum + value, 0);
  expect(total, JSON.stringify(shifts)).toBeLessThanOrEqual(MAX_LAYOUT_SHIFT);
}

/** Fails if axe finds a violation in one of the themes. */
export async function expectAccessible(page: Page): Promise<void> {
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
  await expectNoViolations(new AxeBuilder({ page }));
  await page.emulateMedia({ colorScheme: 'dark' });
  await expectNoViolations(new AxeBuilder({ page }).withRules(THEME_RULES));
}

/** Fails if a page is wider than the screen. On a phone, such a page also increases `innerWidth`. */
export async function expectFit(page: Page): Promise<void> {
  const content = await page.evaluate(() => document.documentElement.scrollWidth);
  expect(content).toBeLessThanOrEqual(page.viewportSize()?.width ?? 0);
}

/** Fails if axe finds a violation. */
export async function expectNoViolations(axe: AxeBuilder): Promise<void> {
  const { violations } = await axe.analyze();
  expect(violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html ?? ''}`)).toEqual([]);
}

/**
 * Fails if one of the first 40 Tab stops of a page is hidden, has no focus outline, or is not in the order of the
 * document.
 */
export async function expectFocusOrder(page: Page): Promise<void> {
  const stops = await page.evaluateHandle(() => {
    const found = new Map<Element, { readonly isVisible: boolean; readonly hasRing: boolean }>();
    document.addEventListener('focusin', ({ target }) => {
      // After the last element, Tab returns to the first element. All Tab stops are then known.
      if (!(target instanceof Element) || found.has(target)) return;
      const { width, height } = target.getBoundingClientRect();
      const isVisible = target.checkVisibility({ visibilityProperty: true }) && width > 0 && height > 0;
      const { outlineStyle, outlineWidth } = getComputedStyle(target);
      found.set(target, { isVisible, hasRing: outlineStyle !== 'none' && outlineWidth !== '0px' });
    });
    return found;
  });
  for (let tabs = 0; tabs < MAX_TABS; tabs += 1) await page.keyboard.press('Tab');
  const { count, wrong } = await stops.evaluate((found) => {
    // A script may have removed an element that had the focus. A removed element has no position in the document.
    const elements = [...found.keys()].filter((element) => element.isConnected);
    const isBefore = (first: Element | undefined, second: Element): boolean =>
      first === undefined || (first.compareDocumentPosition(second) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0;
    const isWrong = (element: Element, index: number): boolean => {
      const stop = found.get(element);
      return stop?.isVisible !== true || !stop.hasRing || !isBefore(elements[index - 1], element);
    };
    return { count: elements.length, wrong: elements.filter(isWrong).map(({ outerHTML }) => outerHTML) };
  });
  expect(count).toBeGreaterThan(5);
  expect(wrong).toEqual([]);
}
