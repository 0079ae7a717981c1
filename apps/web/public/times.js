// Replaces the age that the server wrote with the age according to the browser's clock, because the page may be cached.
// `formatDuration` in libs/common has the same formula.
const UNITS = [
  ['minute', 60],
  ['hour', 3600],
  ['day', 86400],
];

function formatAge(iso) {
  const seconds = Math.max(0, (Date.now() - Date.parse(iso)) / 1000);
  if (Number.isNaN(seconds)) return '';
  if (seconds < 60) return 'less than a minute ago';
  const [unit, unitLength] = UNITS.findLast(([, unitSeconds]) => seconds >= unitSeconds);
  const count = Math.floor(seconds / unitLength);
  return `${count} ${unit}${count === 1 ? '' : 's'} ago`;
}

function updateAges() {
  for (const element of document.querySelectorAll('[data-age-of]')) {
    element.textContent = formatAge(element.dataset.ageOf);
  }
}

updateAges();
setInterval(updateAges, 60_000);
