import type { Command } from '../command-line/command.ts';
import { clusterFlags, outputOf } from '../command-line/flags.ts';
import { tokenFile, whereabouts } from '../look/table.ts';

export const history: Command = {
  name: 'history',
  does: "What happened to one object: the account's events of its remote, and what its status knows.",
  args: 'KIND/NAME',
  details:
    "On one time line, in UTC. FROM is `account` for an event, with its USER, and `status` for what the object itself shows with a time: when it was made, the last turn of each condition, to which what it says now, below, need not go back, what differs, what was set back last, approvals and pauses; `kubernetes` for Events, which the API server keeps for an hour, and for who wrote spec and annotations last: both as they call themselves, and an Event's text is quoted, because whoever may write Events can make one up; `audit` for what the operator sent, by the file of --audit. Status keeps the last of each, and the service keeps events for 90 days. Events are those of the remote that the object has now. Where events name only what it lies below, as those of a domain's records, they are shown and marked. Asks the account with the token of its CloudAccount, or with your own (CLOUD_TOKEN, --token-file), and only reads; where that cannot be had, the rest is shown, and why.",
  flags: [
    { form: '--since <duration>', help: 'Only what is no older than this, for example 2h or 30d.' },
    { form: '--audit <file>', help: "The operator's audit log, or - for standard input: what it sent for this object, with the outcome." },
    ...whereabouts,
    tokenFile,
    outputOf(),
    ...clusterFlags,
  ],
  talks: 'asks',
  rights: [
    { verbs: ['get'], resource: 'kinds' },
    { verbs: ['get'], resource: 'secrets' },
    { verbs: ['get'], resource: 'configmaps', optional: true },
    { verbs: ['list'], resource: 'events', optional: true },
    { verbs: ['get'], resource: 'customresourcedefinitions', optional: true },
  ],
  confirms: 'C0',
  exits: { 4: 'there is no such object; or the account could not be read, and the rest is shown' },
  examples: ['kubectl cloud history cinst/web', 'kubectl cloud history cvol/data --since 24h'],
  load: async () => (await import('./history.ts')).history,
};
