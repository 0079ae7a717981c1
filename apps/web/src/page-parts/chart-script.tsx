/** Script that shows the figures of a chosen day in the charts over days. A page with such charts loads it once. */
export function ChartScript() {
  return <script src="/charts.js" defer />;
}
