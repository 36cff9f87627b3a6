import type { Command } from '../command-line/command.ts';
import { allNamespaces, clusterFlags, outputOf } from '../command-line/flags.ts';
import { accountFlags, accountRights, asksAccount } from '../look/table.ts';
import { ownPrices } from '../../kinds/for-plugin/prices.ts';

export const costing: Command = {
  name: 'cost',
  does: 'What objects cost a month, by the prices of the account, or what an invoice had for them.',
  args: '[KIND/NAME ...]',
  details: [
    'Of the objects of a namespace, of those that are named, or with -A of all, as far as they are of this account. The node pools in the spec of a cluster have lines of their own under its name.',
    `Prices are those that the account's catalogues tell, before tax, discounts and traffic; what they do not tell is ?, and a sum with such is at least what it says. --prices names a file with your own, in US dollars a month: ${ownPrices.join(', ')}.`,
    'With --month instead what the invoices of that month had: an item counts for the remote whose label and id it ends with, and the rest is shown as the rest.',
    asksAccount,
  ].join(' '),
  flags: [
    {
      form: '--by <what>',
      help: 'Sums by namespace, kind, account, or label:KEY instead of each object; account reads those of all objects.',
    },
    { form: '--unmanaged', help: 'Also what no object of the cluster stands for; list must be allowed in all namespaces.' },
    { form: '--prices <file>', help: 'YAML with prices that no catalogue tells, for example volumeGiB: 0.10.' },
    { form: '--month <month>', help: 'What was invoiced for this month, for example 2026-10.' },
    allNamespaces,
    { form: '-l, --selector <labels>', help: 'Only objects with these labels, as kubectl writes them.' },
    ...accountFlags,
    outputOf('name', 'wide'),
    ...clusterFlags,
  ],
  talks: 'asks',
  rights: accountRights,
  confirms: 'C0',
  examples: [
    'kubectl cloud cost -A --by namespace',
    'kubectl cloud cost cinst/web',
    'kubectl cloud cost -A --unmanaged --prices prices.yaml',
    'kubectl cloud cost -A --month 2026-10',
  ],
  load: async () => (await import('./cost.ts')).cost,
};
