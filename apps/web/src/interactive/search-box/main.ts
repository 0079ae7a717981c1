import '../../page-parts/times.js';
import { watchSearchField } from './search-field-events.ts';

// The script of every page. The suggestions are a separate module, so that most visitors load only this small script.
watchSearchField((field) => {
  void import('./attach-suggestions.ts').then(({ attachSuggestions }) => {
    attachSuggestions(field);
  });
});
