import type { Contact } from '../../platform/config/optional-config.ts';

/** Returns a contact as a URI: `mailto:` for an e-mail address. */
export function toContactUrl(contact: Contact): string {
  return 'url' in contact ? contact.url : `mailto:${contact.email}`;
}

export function ContactLink({ contact }: { readonly contact: Contact }) {
  return (
    <a href={toContactUrl(contact)} rel="noopener" className="[overflow-wrap:anywhere]">
      {'url' in contact ? contact.url : contact.email}
    </a>
  );
}
