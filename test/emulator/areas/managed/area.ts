import type { Area } from '../../contract/area.ts';
import { operation } from '../../contract/operation.ts';
import { accountSettings } from '../../records/account.ts';
import { managedIssues, managedKeys } from '../../records/managed.ts';
import { contactOperations } from './contacts.ts';
import { credentialOperations } from './credentials.ts';
import { managedOperation, read, write } from './managed.ts';
import { serviceOperations } from './services.ts';
import { settingsOperations, settingsReactions } from './settings.ts';

export const managedArea: Area = {
  name: 'managed',
  operations: [
    ...contactOperations,
    ...credentialOperations,
    ...serviceOperations,
    ...settingsOperations,
    managedOperation({ ...read, path: '/managed/issues', filterable: [], handler: (ctx) => ctx.page(managedIssues) }),
    managedOperation({ ...read, path: '/managed/issues/{issueId}', handler: (ctx) => ctx.load(managedIssues, 'issueId') }),
    operation({
      ...write,
      method: 'POST',
      path: '/account/settings/managed-enable',
      grant: [{ unrestricted: true }],
      handler: (ctx) => {
        const settings = ctx.store(accountSettings).get(ctx.euuid);
        if (settings === undefined || settings.managed) return;
        ctx.store(accountSettings).update(settings, { managed: true });
        ctx.emit({ action: 'managed_enabled' });
      },
    }),
  ],
  reactions: settingsReactions,
  seedAccount: (world) => {
    const key = Buffer.from(`managed service of ${world.euuid}`).toString('base64');
    world.store(managedKeys).insert(() => ({ euuid: world.euuid, ssh_key: `ssh-rsa ${key} managedservices` }));
  },
};
