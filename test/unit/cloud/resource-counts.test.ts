import { expect, test } from 'vitest';
import { RowStore } from '../../../src/cloud/cache/row-store.ts';
import { ResourceCounts } from '../../../src/cloud/cache/resource-counts.ts';
import { kinds } from './account-world.ts';

// 1,000 objects in the bench: 363 of 640 records were told, and after each start nothing at all.
test('what has an object is counted before its collection is listed, as the first round of sub-collections takes its time', () => {
  const rows = new RowStore(0);
  const counts = new ResourceCounts(rows);
  for (const domain of [1, 2]) {
    const collection = `/domains/${domain}/records`;
    const owner = { kind: kinds.record, key: { namespace: 'team', name: `of-${domain}` }, collection };
    rows.track(`${collection}/7`, owner);
  }
  const shown = () => counts.counts([kinds.record, kinds.account, kinds.volume]);
  expect(shown()).toEqual([{ kind: 'CloudDomainRecord', managed: 2 }]);
  counts.listed('/domains/1/records', new Set([kinds.record]), ['/domains/1/records/8']);
  expect(shown()).toEqual([{ kind: 'CloudDomainRecord', managed: 2, unmanaged: 1 }]);
  counts.listed('/domains/2/records', new Set([kinds.record]), []);
  expect(shown()).toEqual([{ kind: 'CloudDomainRecord', managed: 2, unmanaged: 1 }]);

  for (const domain of [1, 2]) {
    rows.untrack(`/domains/${domain}/records/7`);
    counts.remove(`/domains/${domain}/records`);
  }
  expect(shown()).toEqual([]);
});
