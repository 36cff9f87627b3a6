import type { Command } from '../command-line/command.ts';
import { writingFlags } from '../export/table.ts';
import { clusterFlags, outputOf } from '../command-line/flags.ts';
import { accountRights, tokenFile, whereabouts } from '../look/table.ts';

export const importing: Command = {
  name: 'import',
  does: 'Manifests for what a Terraform state has, each proven to change nothing, and what makes Terraform let go of it.',
  args: 'terraform STATE',
  details: [
    'STATE is what terraform state pull writes, or terraform show -json, of provider linode/linode; - is standard input. It is only read; Terraform itself is never run.',
    "Each object is called after its address, has the fields that the state has, and is held against the CRD and, by the operator's own engine, against what the account has. Where the two differ the account is right, and the difference is said: run terraform plan first.",
    'What the state has and no manifest can have is named, with the reason. Values that the provider or the state calls sensitive are never written or shown; what needs one is left out, and so left alone.',
    'With --forget also removed.tf and forget.sh, for what was written and for nothing else: an object whose twin stays in a state has two owners.',
    'Asks the account with the token of its CloudAccount, or with your own (CLOUD_TOKEN, --token-file), and only reads.',
  ].join(' '),
  flags: [
    {
      form: '--to <folder>',
      help: 'Folder for the manifests, one a file; - is standard output. Only files of this program are overwritten.',
    },
    { form: '--forget <folder>', help: 'Folder for removed.tf and forget.sh.' },
    { form: '--include <address>', help: 'Only this resource or module, with all below it. May be repeated.', repeats: true },
    { form: '--exclude <address>', help: 'Not this one. May be repeated.', repeats: true },
    {
      form: '--verify <how>',
      help: 'Whether the account is asked. none: as the state says it, and proven by nobody.',
      choices: ['account', 'none'],
      default: 'account',
    },
    {
      form: '--prefer <which>',
      help: 'Which one is written where state and account differ. state: as it says, unproven, and the operator would set the account right.',
      choices: ['account', 'state'],
      default: 'account',
    },
    { form: '--link', help: 'A record with the address of an instance that is imported too follows that instance.' },
    ...writingFlags,
    { form: '--with-create-fields', help: 'Also write what was read when something was made, and never again.' },
    {
      form: '--inline-pools',
      help: 'Node pools in the object of their cluster alone. Default: there too, and an object of its own for a pool whose cluster is not imported.',
    },
    {
      form: '--with-object-acls',
      help: 'Also write a manifest for who may use an object of a bucket; the object itself stays in Terraform, without acl.',
    },
    {
      form: '--read-as <types>',
      help: 'Try a type that stays in Terraform as one that this release knows, TYPE=TYPE: linode_database_mysql_v2=linode_database_mysql. What comes of it is only observed. May be repeated.',
      repeats: true,
    },
    {
      form: '--namespace-by <what>',
      help: 'Namespace of each: module for the name of the outermost module, or a YAML file with lines ADDRESS: NAMESPACE, of which the longest counts. What none fits goes where -n says.',
    },
    { form: '--management <how>', help: 'lifecycle.management of the manifests.', choices: ['Observe', 'Manage'], default: 'Observe' },
    {
      form: '--on-delete <what>',
      help: 'lifecycle.onDelete of the manifests. Default: left out, which is Retain for what is adopted.',
      choices: ['Retain', 'Delete'],
    },
    { form: '--strict', help: 'Also write fields that say nothing, such as empty texts.' },
    { form: '--mapping', help: 'Show which attribute becomes which field, and ask nobody.' },
    {
      form: '--account <name>',
      help: 'CloudAccount as NAMESPACE/NAME, or a name alone. Default: default. For another configuration of the provider: linode.ALIAS=NAMESPACE/NAME. May be repeated.',
      repeats: true,
    },
    ...whereabouts,
    tokenFile,
    outputOf(),
    ...clusterFlags,
  ],
  talks: 'asks',
  rights: [...accountRights, { verbs: ['get'], resource: 'customresourcedefinitions', optional: true }],
  confirms: 'C0',
  exits: {
    0: 'all that was asked for is written, and proven where the account was asked',
    1: 'some of it stays in Terraform, or could not be proven and is not written',
    3: "a file is somebody else's",
  },
  examples: [
    'terraform state pull | kubectl cloud import terraform - --to fleet/ --forget fleet/',
    'kubectl cloud import terraform state.json --to fleet/ --include module.shop',
    'kubectl cloud import --mapping',
  ],
  load: async () => (await import('./import.ts')).importStates,
};
