import type { Mutant } from './mutant.ts';

const feed = 'src/cloud/event-feed.ts';
const lease = 'src/kube/lease.ts';
const atRest = ['F16/CloudDomainRecord/create/nothing-happens', 'F16/CloudVolume/create/nothing-happens'];

/** Design 5.5, 5.6 and 5.9: what is followed, how often it is asked for, and by whom. */
export const following: readonly Mutant[] = [
  {
    id: 'events-without-overlap',
    promise: '5.5',
    file: feed,
    what: 'const overlap: Millis = 60_000;',
    instead: 'const overlap: Millis = 0;',
    hint: ['F16/CloudVolume/create/its-event-comes-after-a-later-one'],
  },
  {
    id: 'events-taken-twice',
    promise: '5.5',
    file: feed,
    what: 'if (known?.status !== event.status) events.push(event);',
    instead: 'if (known?.open !== true) events.push(event);',
    hint: atRest,
  },
  {
    id: 'own-event-taken-for-news',
    promise: '5.5',
    file: 'src/cloud/events.ts',
    what: '(sameUser && ownCalls.claim(event, unnamed));',
    instead: '(!sameUser && ownCalls.claim(event, unnamed));',
    hint: ['F16/CloudVolume/create/its-own-edit-is-no-news', 'F16/CloudDomain/create/its-own-edit-is-no-news'],
  },
  {
    id: 'events-not-hurried-while-somebody-waits',
    promise: '5.5',
    file: 'src/cloud/expectations.ts',
    what: 'else if (now < since + limit) waits = true;',
    instead: 'else if (now > since + limit) waits = true;',
    hint: ['F16/CloudInstance/create/its-job-ends', 'F16/CloudVolume/create/its-job-ends'],
  },
  {
    id: 'events-hurried-for-ever',
    promise: '5.5',
    file: 'src/cloud/expectations.ts',
    what: 'const showsWithin: Millis = 60_000;',
    instead: 'const showsWithin: Millis = 86_400_000;',
    hint: ['F16/CloudVolume/create/nothing-happens', 'F16/CloudInstance/create/nothing-happens'],
  },
  {
    id: 'events-not-followed-while-in-doubt',
    promise: '5.5',
    file: 'src/engine/create/attempt.ts',
    what: '    turn.account.connection.mirror.expect(intent.key.in, commitBound + listLag);\n',
    instead: '',
    hint: ['F16/CloudDomain/create/a-namesake-comes-while-in-doubt'],
  },
  {
    id: 'swept-all-the-time',
    promise: '5.6',
    file: 'src/cloud/sweep.ts',
    what: 'export const sweepEvery: Millis = 300_000;',
    instead: 'export const sweepEvery: Millis = 30_000;',
    hint: atRest,
  },
  {
    id: 'parents-visited-all-the-time',
    promise: '5.6',
    file: 'src/cloud/rounds.ts',
    what: 'new: 0, drift: 300_000,',
    instead: 'new: 0, drift: 30_000,',
    hint: atRest,
  },
  {
    id: 'the-account-read-all-the-time',
    promise: '5.6',
    file: 'src/cloud/rounds.ts',
    what: 'account: 900_000,',
    instead: 'account: 90_000,',
    hint: atRest,
  },
  {
    id: 'lease-taken-while-it-is-held',
    promise: '5.9',
    file: lease,
    what: 'return this.#options.clock.monotonic() - this.#seen.at >= durationOf(this.#seen.lease);',
    instead: 'return this.#options.clock.monotonic() - this.#seen.at >= 0 * durationOf(this.#seen.lease);',
    hint: ['F16/CloudDomainRecord/create/two-run-and-one-leads'],
  },
  {
    id: 'lease-not-given-back',
    promise: '5.9',
    file: lease,
    what: 'if (led) await this.#giveBack();',
    instead: 'if (!led) await this.#giveBack();',
    hint: ['F16/CloudDomainRecord/create/the-leader-is-asked-to-stop'],
  },
  {
    id: 'works-without-the-lease',
    promise: '5.9',
    file: 'src/engine/run/controller.ts',
    what: 'if (!engine.leadership.held() || engine.crds.mismatched.has(object.kind)) return quiet;',
    instead: 'if (engine.crds.mismatched.has(object.kind)) return quiet;',
    hint: [],
    unreachable: 'the engine starts only with the lease and ends in the same instant as it (operator.ts), so each turn asks for it in vain',
  },
  {
    id: 'many-events-read-one-by-one',
    promise: '5.5',
    file: 'src/cloud/looks.ts',
    what: 'const many = foreign.length > sweeper.pages(collection) &&',
    instead: 'const many = foreign.length > 99 * sweeper.pages(collection) &&',
    hint: ['F16/CloudFirewall/create/many-are-changed-at-once', 'F16/CloudVolume/create/many-are-changed-at-once'],
  },
];
