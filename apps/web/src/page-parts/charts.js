// Shows the figures of one day in the legend of each chart. The reader chooses the day with the pointer, a touch or the
// arrow keys. The figures are those of the table below the chart, whose first row is the last day.
const SVG = 'http://www.w3.org/2000/svg';

function connectChart(chart) {
  const plot = chart.querySelector('[data-chart-plot]');
  const rows = [...chart.querySelectorAll('tbody tr')].reverse();
  const fields = [...chart.querySelectorAll('[data-chart-day], [data-chart-value]')];
  if (rows.length === 0) return;
  const headings = [...chart.querySelectorAll('thead th')].map((cell) => cell.textContent);
  const latestTexts = fields.map((field) => field.textContent);
  const { width, height } = plot.querySelector('svg').viewBox.baseVal;

  const marker = document.createElementNS(SVG, 'path');
  marker.setAttribute('class', 'stroke-stone-ink');
  marker.setAttribute('vector-effect', 'non-scaling-stroke');
  plot.querySelector('svg').append(marker);

  // The element of the browser has the arrow keys and the role of a slider. The pointer belongs to the whole plot.
  const slider = document.createElement('input');
  slider.type = 'range';
  slider.className = 'pointer-events-none absolute inset-0 m-0 size-full opacity-0';
  slider.max = rows.length - 1;
  slider.value = slider.max;
  slider.setAttribute('aria-label', `Day of the chart ${chart.dataset.chart}`);
  plot.append(slider);

  function showDay() {
    const day = slider.valueAsNumber;
    const texts = [...rows[day].cells].map((cell) => cell.textContent);
    for (const [index, field] of fields.entries()) field.textContent = texts[index];
    marker.setAttribute('d', `M${(width * (day + 0.5)) / rows.length} 0V${height}`);
    const figures = texts.slice(1).map((text, index) => `${headings[index + 1]} ${text}`);
    slider.setAttribute('aria-valuetext', `${texts[0]}: ${figures.join(', ')}`);
  }
  function showLatest() {
    slider.value = slider.max;
    showDay();
    for (const [index, field] of fields.entries()) field.textContent = latestTexts[index];
    marker.removeAttribute('d');
  }
  function chooseDay({ clientX }) {
    const { left, width: pixels } = plot.getBoundingClientRect();
    slider.value = Math.floor((rows.length * (clientX - left)) / pixels);
    showDay();
  }

  showLatest();
  slider.addEventListener('input', showDay);
  slider.addEventListener('focus', showDay);
  slider.addEventListener('blur', showLatest);
  plot.addEventListener('pointermove', chooseDay);
  plot.addEventListener('pointerdown', (event) => {
    // The browser would move the focus to the page.
    event.preventDefault();
    slider.focus({ preventScroll: true });
    chooseDay(event);
  });
  plot.addEventListener('pointerleave', ({ pointerType }) => {
    if (pointerType === 'mouse' && document.activeElement !== slider) showLatest();
  });
}

document.querySelectorAll('[data-chart]').forEach(connectChart);
