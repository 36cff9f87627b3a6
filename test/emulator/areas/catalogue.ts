import type { Area } from '../contract/area.ts';
import { operation } from '../contract/operation.ts';
import { kernels, regions, vmTypes } from '../records/catalogue.ts';
import { kernelSeed, regionSeed, typeSeed } from './catalogue-seed.ts';

/** Catalogues need no credential and may be cached for 15 minutes. */
const open = { auth: 'none', cacheSeconds: 900 } as const;

export const catalogue: Area = {
  name: 'catalogue',
  operations: [
    operation({ ...open, method: 'GET', path: '/regions', filterable: [], handler: (ctx) => ctx.page(regions) }),
    operation({ ...open, method: 'GET', path: '/regions/{regionId}', handler: (ctx) => ctx.load(regions, 'regionId') }),
    operation({
      ...open,
      method: 'GET',
      path: '/vm/types',
      filterable: ['label', 'disk', 'class', 'network_out', 'memory', 'transfer', 'vcpus', 'gpus'],
      handler: (ctx) => ctx.page(vmTypes),
    }),
    operation({ ...open, method: 'GET', path: '/vm/types/{typeId}', handler: (ctx) => ctx.load(vmTypes, 'typeId') }),
    operation({
      ...open,
      method: 'GET',
      path: '/vm/kernels',
      filterable: ['label', 'version', 'kvm', 'architecture', 'pvops', 'deprecated'],
      handler: (ctx) => ctx.page(kernels),
    }),
    operation({ ...open, method: 'GET', path: '/vm/kernels/{kernelId*}', handler: (ctx) => ctx.load(kernels, 'kernelId') }),
  ],
  seedPlatform: (world) => {
    for (const row of regionSeed()) world.store(regions).insert(() => row);
    for (const row of typeSeed()) world.store(vmTypes).insert(() => row);
    for (const row of kernelSeed()) world.store(kernels).insert(() => row);
  },
};
