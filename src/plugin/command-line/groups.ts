const words = (text: string): readonly string[] => text.split(' ');

/** What verbs are for -> those verbs, in the order of `help` and of the reference page. */
export const groups: Readonly<Record<string, readonly string[]>> = {
  'What is there, and what it waits for': words('status why tree wait history outputs doctor bundle'),
  'What would happen': words('plan diff schema cost'),
  'Say yes, stop, go on': words('approve release abandon recreate rotate pause resume reconcile'),
  'Do once': words(
    'reboot boot shutdown rebuild snapshot restore assign patch reset-credentials recycle delete-node regenerate confirm ops',
  ),
  'Bring in, hand over, leave': words('orphans export import move uninstall'),
  'Look into the account': words(
    'get events logins invoices payments payment-methods transfers objects zone vlans regions images types versions engines',
  ),
  'Change the account itself: money, ownership': words('pay payment-method promo transfer account object-storage mark-events api'),
  'This program': words('version completion'),
};
