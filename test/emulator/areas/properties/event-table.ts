type Row = Readonly<Record<string, unknown>>;
type Actions = (body: Row, before: Row) => readonly string[];

const always =
  (...actions: readonly string[]): Actions =>
  () =>
    actions;

const when = (condition: boolean, action: string): readonly string[] => (condition ? [action] : []);

function instanceCreate(body: Row): readonly string[] {
  const boots = body['image'] !== undefined && body['booted'] !== false;
  return ['vm_create', ...when(boots, 'vm_boot'), ...when(body['backups_enabled'] === true, 'backups_enable')];
}

function firewallUpdate(body: Row, before: Row): readonly string[] {
  const turned = body['status'] !== undefined && body['status'] !== before['status'];
  const other = !turned || body['label'] !== undefined || body['tags'] !== undefined;
  return [...when(turned, body['status'] === 'enabled' ? 'firewall_enable' : 'firewall_disable'), ...when(other, 'firewall_update')];
}

function scriptUpdate(body: Row, before: Row): readonly string[] {
  if (body['is_public'] === true && before['is_public'] === false) return ['stackscript_publicize'];
  return [typeof body['script'] === 'string' && body['script'] !== before['script'] ? 'stackscript_revise' : 'stackscript_update'];
}

/** Which events follow which operation: as recorded. What is missing here has none. */
const table: Readonly<Record<string, Actions>> = {
  'PUT /account': always('account_update'),
  'PUT /account/settings': always('account_settings_update'),
  'POST /account/oauth-clients': always('oauth_client_create'),
  'PUT /account/oauth-clients/{clientId}': always('oauth_client_update'),
  'DELETE /account/oauth-clients/{clientId}': always('oauth_client_delete'),
  'POST /account/oauth-clients/{clientId}/reset-secret': always('oauth_client_secret_reset'),
  'POST /account/payment-methods': always('payment_method_add'),
  'POST /account/payments': always('payment_submitted'),
  'POST /account/service-transfers': always('entity_transfer_create'),
  'DELETE /account/service-transfers/{token}': always('entity_transfer_cancel'),
  'POST /databases/mysql/instances': always('database_create'),
  'PUT /databases/mysql/instances/{instanceId}': always('database_update'),
  'DELETE /databases/mysql/instances/{instanceId}': always('database_delete'),
  'POST /databases/mysql/instances/{instanceId}/credentials/reset': always('database_credentials_reset'),
  'POST /databases/mysql/instances/{instanceId}/backups/{backupId}/restore': always('database_backup_restore'),
  'POST /domains': always('domain_create'),
  'POST /domains/import': always('domain_import'),
  'POST /domains/{domainId}/clone': always('domain_create'),
  'PUT /domains/{domainId}': always('domain_update'),
  'DELETE /domains/{domainId}': always('domain_delete'),
  'POST /domains/{domainId}/records': always('domain_record_create'),
  'PUT /domains/{domainId}/records/{recordId}': always('domain_record_update'),
  'DELETE /domains/{domainId}/records/{recordId}': always('domain_record_delete'),
  'POST /images': always('disk_imagize'),
  'PUT /images/{imageId*}': always('image_update'),
  'DELETE /images/{imageId*}': always('image_delete'),
  'POST /longview/clients': always('longviewclient_create'),
  'PUT /longview/clients/{clientId}': always('longviewclient_update'),
  'DELETE /longview/clients/{clientId}': always('longviewclient_delete'),
  'POST /managed/services': always('managed_service_create'),
  'DELETE /managed/services/{serviceId}': always('managed_service_delete'),
  'POST /networking/firewalls': always('firewall_create'),
  'PUT /networking/firewalls/{firewallId}': firewallUpdate,
  'DELETE /networking/firewalls/{firewallId}': always('firewall_delete'),
  'PUT /networking/firewalls/{firewallId}/rules': always('firewall_update'),
  'POST /networking/firewalls/{firewallId}/devices': always('firewall_device_add'),
  'DELETE /networking/firewalls/{firewallId}/devices/{deviceId}': always('firewall_device_remove'),
  'POST /networking/ips': always('vm_addip'),
  'PUT /networking/ips/{address}': always('ipaddress_update'),
  'POST /profile/sshkeys': always('user_ssh_key_add'),
  'PUT /profile/sshkeys/{sshKeyId}': always('user_ssh_key_update'),
  'DELETE /profile/sshkeys/{sshKeyId}': always('user_ssh_key_delete'),
  'POST /support/tickets': always('ticket_create'),
  'POST /support/tickets/{ticketId}/replies': always('ticket_update'),
  'POST /support/tickets/{ticketId}/close': (_body, before) => when(before['status'] !== 'closed', 'ticket_update'),
  'POST /tags': always('tag_create'),
  'DELETE /tags/{label}': always('tag_delete'),
  'POST /vm/instances': instanceCreate,
  'PUT /vm/instances/{vmId}': always('vm_update'),
  'DELETE /vm/instances/{vmId}': always('vm_delete'),
  'POST /vm/instances/{vmId}/boot': always('vm_boot'),
  'POST /vm/instances/{vmId}/reboot': always('vm_reboot'),
  'POST /vm/instances/{vmId}/shutdown': always('vm_shutdown'),
  'POST /vm/instances/{vmId}/resize': always('vm_resize_create', 'vm_resize'),
  // The boot after a rebuild is queued as after a create: assumed.
  'POST /vm/instances/{vmId}/rebuild': (body) => ['vm_rebuild', ...when(body['booted'] !== false, 'vm_boot')],
  'POST /vm/instances/{vmId}/migrate': (body) =>
    body['region'] === undefined ? ['vm_migrate'] : ['vm_migrate_datacenter_create', 'vm_migrate_datacenter'],
  'POST /vm/instances/{vmId}/mutate': always('vm_mutate_create', 'vm_mutate'),
  'POST /vm/instances/{vmId}/rescue': (_body, before) => [before['status'] === 'running' ? 'vm_reboot' : 'vm_boot'],
  'POST /vm/instances/{vmId}/password': always('password_reset'),
  'POST /vm/instances/{vmId}/clone': always('vm_clone'),
  'POST /vm/instances/{vmId}/backups': always('vm_snapshot'),
  'POST /vm/instances/{vmId}/backups/enable': always('backups_enable'),
  'POST /vm/instances/{vmId}/backups/cancel': always('backups_cancel'),
  'POST /vm/instances/{vmId}/backups/{backupId}/restore': always('backups_restore'),
  'POST /vm/instances/{vmId}/configs': always('vm_config_create'),
  'PUT /vm/instances/{vmId}/configs/{configId}': always('vm_config_update'),
  'DELETE /vm/instances/{vmId}/configs/{configId}': always('vm_config_delete'),
  'POST /vm/instances/{vmId}/disks': always('disk_create'),
  'PUT /vm/instances/{vmId}/disks/{diskId}': always('disk_update'),
  'DELETE /vm/instances/{vmId}/disks/{diskId}': always('disk_delete'),
  'POST /vm/instances/{vmId}/disks/{diskId}/clone': always('disk_duplicate'),
  'POST /vm/instances/{vmId}/disks/{diskId}/password': always('password_reset'),
  'POST /vm/instances/{vmId}/disks/{diskId}/resize': always('disk_resize'),
  'POST /vm/instances/{vmId}/ips': always('vm_addip'),
  'DELETE /vm/instances/{vmId}/ips/{address}': always('vm_deleteip'),
  'POST /vm/stackscripts': always('stackscript_create'),
  'PUT /vm/stackscripts/{stackscriptId}': scriptUpdate,
  'DELETE /vm/stackscripts/{stackscriptId}': always('stackscript_delete'),
  'POST /volumes': (body) => ['volume_create', ...when(typeof body['vm_id'] === 'number', 'volume_attach')],
  'PUT /volumes/{volumeId}': always('volume_update'),
  'DELETE /volumes/{volumeId}': always('volume_delete'),
  'POST /volumes/{volumeId}/attach': always('volume_attach'),
  'POST /volumes/{volumeId}/clone': always('volume_clone'),
  'POST /volumes/{volumeId}/detach': (_body, before) => when(typeof before['vm_id'] === 'number', 'volume_detach'),
  'POST /volumes/{volumeId}/resize': always('volume_resize'),
};

/** The actions that one accepted call gives at once, jobs that it queues included; `before` is the record of the path before it. */
export function actionsOf(operation: string, body: Row, before: Row): readonly string[] {
  return table[operation]?.(body, before) ?? [];
}
