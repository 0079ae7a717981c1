// Shows times for the reader. Pages may be cached and have one version for all readers, so the server writes times in UTC.

// Replaces the age that the server wrote with the age according to the browser's clock. `formatDuration` in libs/common
// has the same formula.
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

function updateTimes() {
  for (const element of document.querySelectorAll('[data-age-of]')) {
    element.textContent = formatAge(element.dataset.ageOf);
  }
  // The focus of a link shows the local times inside the link, so these times need no focus of their own.
  for (const element of document.querySelectorAll('time')) {
    if (isWithClock(element) && element.closest('a, button, summary, label') === null) element.tabIndex = 0;
  }
}

/** Returns true for a time with a time of day. A day has no local time. */
function isWithClock({ dateTime }) {
  return dateTime.includes('T') && !Number.isNaN(Date.parse(dateTime));
}

/** Adds the local time, which CSS shows on hover and on focus, aligned so that it stays inside the window. */
function addLocalTime(element) {
  if (!isWithClock(element)) return;
  const date = new Date(element.dateTime);
  const clock = date.toLocaleTimeString([], { hour: '2-digit', minute: '2-digit', timeZoneName: 'short' });
  // The side comes first: on a phone, a text without a side can leave the window and thereby increase `innerWidth`.
  element.dataset.localSide = element.getBoundingClientRect().left > innerWidth / 2 ? 'right' : 'left';
  element.dataset.localTime = `${date.toLocaleDateString()} ${clock} (your time)`;
}

addEventListener('pointerover', ({ target }) => {
  const element = target.closest?.('time');
  if (element) addLocalTime(element);
});
addEventListener('focusin', ({ target }) => {
  if (target.matches?.('time')) addLocalTime(target);
  else if (target.matches?.('a, button, summary, label'))
    target.querySelectorAll('time').forEach(addLocalTime);
});

updateTimes();
setInterval(updateTimes, 60_000);
