import { expect, test } from 'vitest';
import { RowStore } from '../../../src/cloud/row-store.ts';
import { Tally } from '../../../src/cloud/tally.ts';
import { kinds } from './account-world.ts';

// 1,000 objects in the bench: 363 of 640 records were told, and after each start nothing at all.
test('what has an object is counted before its collection is listed, as the first round of sub-collections takes its time', () => {
  const rows = new RowStore(0);
  const tally = new Tally(rows);
  for (const domain of [1, 2]) {
    const collection = `/domains/${domain}/records`;
    const owner = { kind: kinds.record, key: { namespace: 'team', name: `of-${domain}` }, collection };
    rows.own(`${collection}/7`, owner);
  }
  const counts = () => tally.counts([kinds.record, kinds.account, kinds.volume]);
  expect(counts()).toEqual([{ kind: 'CloudDomainRecord', managed: 2 }]);
  tally.listed('/domains/1/records', new Set([kinds.record]), ['/domains/1/records/8']);
  expect(counts()).toEqual([{ kind: 'CloudDomainRecord', managed: 2, unmanaged: 1 }]);
  tally.listed('/domains/2/records', new Set([kinds.record]), []);
  expect(counts()).toEqual([{ kind: 'CloudDomainRecord', managed: 2, unmanaged: 1 }]);

  for (const domain of [1, 2]) {
    rows.disown(`/domains/${domain}/records/7`);
    tally.remove(`/domains/${domain}/records`);
  }
  expect(counts()).toEqual([]);
});
