import type { Command } from '../command-line/command.ts';
import { clusterFlags, outputOf } from '../command-line/flags.ts';
import { accountFlags, accountRights, asksAccount } from '../look/table.ts';

export const orphans: Command = {
  name: 'orphans',
  does: 'What the account has that no object of the cluster stands for, and objects whose remote is not there.',
  details: [
    "Compares the account's lists with the objects of all namespaces, so list must be allowed in all of them; classes rest on tags and labels alone:",
    '`unmanaged`: no tag of an operator; of a kind without tags nothing tells more.',
    '`retained`: the tag of this installation, as on what onDelete: Retain left behind.',
    '`lost`: called as an object here would have it called that has another remote or none, with the tag of this installation, of a kind without tags, or with another tag where the CloudAccount names no spec.installation. A cluster that was rebuilt without its key or its installation leaves such. Whether it is that very one only the key could tell: look at it before you adopt it.',
    '`foreign`: the tag of another installation.',
    'IN names the object of what it lies in, as the instance of a disk: it may have come with that, which the account does not tell.',
    'Not listed is what an object is making, or asks to adopt by its id and may adopt. An annotation alone, as a backup restores it or anybody writes it, makes nobody an owner: what it names is listed, and below which object has that annotation. Lists of the service may lag by a minute. Nothing is changed or deleted.',
    asksAccount,
  ].join(' '),
  flags: [
    {
      form: '--kinds <names>',
      help: 'Only these, with commas between them. Default: all that have one list; what lies below others, as records of domains, takes one list for each and must be named.',
    },
    { form: '--unmanaged', help: 'Only this class; several may be given.' },
    { form: '--retained', help: 'Only this class.' },
    { form: '--lost', help: 'Only this class.' },
    { form: '--foreign', help: 'Only this class.' },
    { form: '--missing', help: 'Only objects whose remote is not there.' },
    { form: '--all', help: 'Everything. Default: everything but foreign.' },
    { form: '--older-than <duration>', help: 'Only what was made longer ago, for example 30d; what shows no time stays.' },
    { form: '--cost', help: 'Also what each costs a month, by the prices of the account, and the sum.' },
    { form: '--prices <file>', help: 'YAML with prices that no catalogue tells, for example volumeGiB: 0.10.' },
    { form: '--fail', help: 'Exit code 1 where something is listed.' },
    ...accountFlags,
    outputOf('wide'),
    ...clusterFlags,
  ],
  talks: 'asks',
  rights: [...accountRights, { verbs: ['get'], resource: 'customresourcedefinitions', optional: true }],
  confirms: 'C0',
  exits: {
    0: 'listed, or there is nothing',
    1: 'with --fail: something is listed',
    4: 'not all could be read. Where that is a list below something, as of a database that is being made, the rest is listed and the gap is named; else there is no list',
  },
  examples: [
    'kubectl cloud orphans',
    'kubectl cloud orphans --lost --retained --older-than 30d --fail',
    'kubectl cloud orphans --kinds crec',
  ],
  load: async () => (await import('./orphans.ts')).orphans,
};
