import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import { BarList } from './bar-list.tsx';

describe('BarList', () => {
  it('shows each value as text, with the longest bar for the highest value', () => {
    const html = renderToStaticMarkup(
      <BarList
        format={(value) => `${value} endpoints`}
        items={[
          { label: 'timeout', value: 40, note: 'down' },
          { label: 'redirect', value: 10 },
        ]}
      />,
    );
    expect(html).toMatch(/timeout.*down.*40 endpoints.*redirect.*10 endpoints/);
    const [first = 0, second = 0] = html
      .split('<li')
      .slice(1)
      .map((item) => Math.max(...[...item.matchAll(/H([\d.]+)/g)].map(([, end]) => Number(end))));
    expect(first).toBeGreaterThan(90);
    expect(second).toBeLessThanOrEqual(25);
  });

  it('handles values of zero', () => {
    const html = renderToStaticMarkup(<BarList format={String} items={[{ label: 'timeout', value: 0 }]} />);
    expect(html).not.toMatch(/NaN|Infinity/);
  });
});
