import type { Context } from '../../contract/context.ts';
import { operation } from '../../contract/operation.ts';
import { notFound } from '../../contract/refusal.ts';
import type { VmType } from '../../records/catalogue.ts';
import { vmTypes } from '../../records/catalogue.ts';

/** Prices of database nodes are assumed: twice the instance. */
function quantities({ price }: VmType): readonly object[] {
  return [1, 2, 3].map((quantity) => ({
    quantity,
    price: { hourly: (price.hourly ?? 0) * 2 * quantity, monthly: (price.monthly ?? 0) * 2 * quantity },
  }));
}

function databaseType(type: VmType): object {
  const { id, memory, disk, vcpus } = type;
  const own = quantities(type);
  return {
    id,
    label: `DBaaS - ${type.label}`,
    engines: { mysql: own, postgresql: own, mongodb: own },
    memory,
    disk,
    vcpus,
    class: type.class,
  };
}

/** Nanode, standard and dedicated plans. */
export function runsDatabases({ class: kind }: VmType): boolean {
  return ['nanode', 'standard', 'dedicated'].includes(kind);
}

function offered(ctx: Context<unknown>): readonly VmType[] {
  return [...ctx.store(vmTypes).values()].filter(runsDatabases);
}

const open = { method: 'GET', auth: 'none' } as const;

export const databaseTypes = [
  operation({ ...open, path: '/databases/types', filterable: [], handler: (ctx) => ctx.pageOf(offered(ctx).map(databaseType)) }),
  operation({
    ...open,
    path: '/databases/types/{typeId}',
    handler: (ctx) => {
      const type = offered(ctx).find((row) => row.id === ctx.params['typeId']);
      if (type === undefined) throw notFound();
      return databaseType(type);
    },
  }),
];
