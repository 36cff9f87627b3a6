import { type Check, fail, warn } from './found.ts';

const offline = 'kubectl cloud plan --against none --base git:origin/main needs no right at all.';

export const ofJobs: readonly Check[] = [
  {
    id: 'D30',
    about: 'a job with these rights can plan a change before it is merged',
    with: 'asCi',
    look: ({ job }) => {
      if (job === undefined) return [];
      return [
        ...(job.lacks.length + job.may === 0
          ? [warn('there is no object here to try a dry run with', 'Name a namespace that has some, with -n, or look in all with -A.')]
          : []),
        ...job.lacks.map((right) =>
          fail(
            `a job with these rights may not ${right}, so it cannot have a manifest looked at by the API server`,
            `Bind a role with that right, which is the right to change objects too: RBAC knows no dry runs. Else: ${offline}`,
          ),
        ),
        ...(job.withoutAccount === undefined
          ? []
          : [
              warn(
                `a job with these rights cannot ask the account: ${job.withoutAccount}`,
                'Give it a read-only token of its own in CLOUD_TOKEN, or plan by what the objects show: --against cluster.',
              ),
            ]),
      ];
    },
  },
];
