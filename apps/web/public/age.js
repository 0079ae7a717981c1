// Writes beside each time how long ago it was, by the reader's own clock. The page itself may be older than it looks.
const STEPS = [
  ['minute', 60],
  ['hour', 3600],
  ['day', 86400],
];

function ageOf(iso) {
  const seconds = Math.max(0, (Date.now() - Date.parse(iso)) / 1000);
  if (Number.isNaN(seconds)) return '';
  if (seconds < 60) return 'less than a minute ago';
  const [unit, length] = STEPS.findLast(([, least]) => seconds >= least);
  const count = Math.floor(seconds / length);
  return `${count} ${unit}${count === 1 ? '' : 's'} ago`;
}

function tell() {
  for (const place of document.querySelectorAll('[data-age-of]')) {
    place.textContent = ageOf(place.dataset.ageOf);
    place.hidden = false;
  }
}

tell();
setInterval(tell, 60_000);
